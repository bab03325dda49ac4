import { appRouter } from '../../server/admin/index.ts'

type Kind = 'query' | 'mutation' | 'subscription'

// the type of the router nests its procedures, which it holds by path
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: Kind } }>

/** How each procedure of the console is called. */
export const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(procedures).map(([path, { _def }]) => [path, _def.type]),
)
