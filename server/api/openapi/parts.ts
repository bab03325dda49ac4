import { UUID } from '../../contract/ids.ts'
import type { ENDPOINTS, Path } from '../endpoints.ts'

export type Json = Record<string, unknown>
export type Caller = (typeof ENDPOINTS)[Path]['caller'] | 'service'

/** The groups of operations in the API reference. */
export const TAGS: Record<Caller, { name: string; description: string }> = {
  backend: { name: 'Backend', description: 'Called by your backend, with the site’s secret key.' },
  component: {
    name: 'Component',
    description:
      'Called by the component in the visitor’s browser, across origins. You do not need to call them yourself.',
  },
  service: { name: 'Service', description: 'The component itself, and health checks for load balancers.' },
}

/** All headers that a reply can have. */
export const HEADERS: Record<string, { description: string; schema: Json }> = {
  'X-Request-Id': {
    description: 'Identifies this request in the console and in the service’s log.',
    schema: { type: 'string', pattern: '^req_[0-9a-f]{32}$' },
  },
  'Cache-Control': { description: 'API replies must not be cached.', schema: { const: 'no-store' } },
  Link: {
    description:
      'Where the documentation explains the error, with `rel="help"`; absent if it is not served, and under overload.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Whole seconds to wait before repeating the request.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'The scheme to use.', schema: { const: 'Bearer' } },
  'Tollgate-Authorization': {
    description:
      'What arrived as Authorization: no header (`missing`: a proxy may have removed it), two or none of the form `Bearer …` (`malformed`), or a secret that is unknown or revoked (`unknown`).',
    schema: { enum: ['missing', 'malformed', 'unknown'] },
  },
  'Tollgate-Latest-Event': {
    description:
      'The decision’s latest feedback event, which a correction names in `supersedes_event_id`. With 409, only `supersede-required` and `supersede-stale` have it; without it, `supersede-stale` means that the decision has no feedback.',
    // as in bodies: `format: uuid` would let some validators refuse the versions that the RFC does not name
    schema: { type: 'string', pattern: UUID.source },
  },
  Allow: { description: 'The method to use.', schema: { const: 'POST' } },
  Vary: { description: 'The reply depends on the requesting page.', schema: { const: 'Origin' } },
  'Access-Control-Allow-Origin': {
    description: 'The page’s origin, on every reply, if it is well formed (`http(s)://host[:port]`); otherwise absent.',
    schema: { type: 'string' },
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that the page can read.',
    schema: { const: 'x-request-id, retry-after, date' },
  },
}
const OF_STATUS: Record<number, string[]> = {
  401: ['WWW-Authenticate', 'Tollgate-Authorization'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}
const OF_PATH: Partial<Record<Path, Record<number, string[]>>> = {
  '/feedback': { 200: ['Tollgate-Latest-Event'], 409: ['Tollgate-Latest-Event'] },
}

/** The headers of a reply, by reference. */
export const headersOf = (caller: Caller, status: number, path?: Path): Json => {
  const cors = caller === 'component' ? ['Vary', 'Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] : []
  const own = path === undefined ? [] : (OF_PATH[path]?.[status] ?? [])
  const help = status < 400 ? [] : ['Link']
  const names = ['X-Request-Id', 'Cache-Control', ...help, ...cors, ...(OF_STATUS[status] ?? []), ...own]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** A JSON body with its named examples. */
export const json = (schema: Json, examples: Record<string, object>): Json => ({
  'application/json': {
    schema,
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  },
})
