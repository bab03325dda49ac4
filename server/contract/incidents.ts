import { BACKEND_ENDPOINTS } from './names.ts'

/** `attack`: visitors or bots cause it, and a higher difficulty can help. `backend`: the calls of the merchant's own servers are refused. */
export type IncidentNature = 'attack' | 'backend'

/** What an incident is, by its kind and the endpoint of its most frequent refusal. */
export const natureOf = (kind: 'work' | 'refusals', endpoint: string | undefined): IncidentNature =>
  kind === 'refusals' && (BACKEND_ENDPOINTS as readonly (string | undefined)[]).includes(endpoint)
    ? 'backend'
    : 'attack'
