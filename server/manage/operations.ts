import { z } from 'zod'
import { appRouter } from '../admin/index.ts'
import type { Meta } from '../admin/trpc.ts'

export type Operation = {
  /** The procedure: `sites.list`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/sites/{site}`. */
  path: string
  summary: string
  tag: string
  /** Undefined: any key may call it. */
  permission: Meta['permission']
  object: Meta['object']
  /** What a call concerns: one site, the sites of the key, or the whole tenant, which only a key for all sites may do. */
  concerns: 'site' | 'sites' | 'tenant'
  /** The fields of its input by the procedure's names, without the tenant, which is that of the key. */
  fields: Readonly<Record<string, z.ZodType>>
}

type Def = { type: string; shape?: Record<string, z.ZodType>; left?: Schema; right?: Schema }
type Schema = { _zod: { def: Def } }

/** The fields of an input, which is an object or the intersection of several. */
function fieldsOf({ _zod: { def } }: Schema): Record<string, z.ZodType> {
  if (def.left && def.right) return { ...fieldsOf(def.left), ...fieldsOf(def.right) }
  return def.shape ?? {}
}

type Procedure = { _def: { meta?: Meta; inputs: Schema[] } }

/** The procedures of the console that have a path. */
export const OPERATIONS: readonly Operation[] = Object.entries(
  appRouter._def.procedures as unknown as Record<string, Procedure>,
).flatMap(([name, { _def }]) => {
  const { openapi, object, permission } = _def.meta ?? {}
  if (!openapi) return []
  const { method, path, summary = '', tags = [] } = openapi
  const { tenant: _, ...fields } = Object.assign({}, ..._def.inputs.map(fieldsOf)) as Record<string, z.ZodType>
  const isOptional = fields['site']?.safeParse(undefined).success
  const concerns = object === 'sites' || isOptional ? 'sites' : object || fields['site'] ? 'site' : 'tenant'
  return [{ name, method, path, summary, tag: tags[0] ?? '', permission, object, concerns, fields }]
})

/** The value of a query or a path: text is read as a number where the field is one. */
export function fromText(field: z.ZodType | undefined, text: string): unknown {
  const { type } = field ? z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) : {}
  return (type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}
