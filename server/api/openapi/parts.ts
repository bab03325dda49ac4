import type { ENDPOINTS, Path } from '../endpoints.ts'

export type Json = Record<string, unknown>
export type Caller = (typeof ENDPOINTS)[Path]['caller'] | 'service'

/** What the reference groups operations under. */
export const TAGS: Record<Caller, { name: string; description: string }> = {
  backend: { name: 'Backend', description: 'Called by your backend, with the site’s secret key.' },
  component: {
    name: 'Component',
    description:
      'Called by the component in the visitor’s browser, across origins. There is no need to call them yourself.',
  },
  service: { name: 'Service', description: 'The component itself, and what load balancers ask.' },
}

/** Every header that a reply can carry. */
export const HEADERS: Record<string, { description: string; schema: Json }> = {
  'X-Request-Id': {
    description: 'Names this request in the console and in the service’s log.',
    schema: { type: 'string', pattern: '^req_[0-9a-f]{32}$' },
  },
  'Cache-Control': { description: 'Replies of the API are never stored.', schema: { const: 'no-store' } },
  'Retry-After': {
    description: 'Whole seconds until the same request makes sense again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'The scheme to use.', schema: { const: 'Bearer' } },
  Allow: { description: 'The method to use.', schema: { const: 'POST' } },
  Vary: { description: 'The reply depends on the page that asks.', schema: { const: 'Origin' } },
  'Access-Control-Allow-Origin': {
    description: 'The page’s own origin, on every reply, if it is well formed (`http(s)://host[:port]`); else absent.',
    schema: { type: 'string' },
  },
  'Access-Control-Expose-Headers': {
    description: 'What the page may read, with the header above.',
    schema: { const: 'x-request-id, retry-after, date' },
  },
}
const OF_STATUS: Record<number, string> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
}

/** The headers of a reply, by reference. */
export const headersOf = (caller: Caller, status: number): Json => {
  const cors = caller === 'component' ? ['Vary', 'Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] : []
  const names = ['X-Request-Id', 'Cache-Control', ...cors, ...(OF_STATUS[status] ? [OF_STATUS[status]] : [])]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** A JSON body with its named examples. */
export const json = (schema: Json, examples: Record<string, object>): Json => ({
  'application/json': {
    schema,
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  },
})
