import { codesOf, ENDPOINTS, errorBody, isPath } from '../../server/api/endpoints.ts'
import { CATALOGUE } from '../../server/kit/refusal.ts'

/** A reply to a POST as it came over the wire. */
type Answered = { status: number; headers: Headers; text: string }

const TYPE = 'application/json; charset=utf-8'

/** What each status asks of its headers besides (docs: the OpenAPI document's headers). */
const HEADERS: Record<number, [name: string, pattern: RegExp]> = {
  401: ['www-authenticate', /^Bearer$/],
  405: ['allow', /^POST$/],
  429: ['retry-after', /^[1-9]\d*$/],
  503: ['retry-after', /^[1-9]\d*$/],
}

/**
 * Throws unless the reply is one that the OpenAPI document declares for the path: status, body, content type and
 * headers. Made of the same tables as the document; a path that is none of the API's has to answer `not-found`.
 */
export function assertDocumented(path: string, { status, headers, text }: Answered): void {
  const route = path.split('?', 1)[0] ?? ''
  const fail = (why: string) => {
    throw new Error(`POST ${route} answered what /openapi.json does not declare: ${why}\n${status} ${text}`)
  }
  const codes = isPath(route)
    ? codesOf(route).filter((code) => CATALOGUE[code].status === status)
    : (['not-found'] as const)
  const schema = isPath(route) && status === 200 ? ENDPOINTS[route].reply : errorBody(codes)
  if (codes.length === 0 && status !== 200) fail(`the status ${status}`)
  if (!isPath(route) && status !== 404) fail(`the status ${status} of a path that it does not have`)
  if (headers.get('content-type') !== TYPE) fail(`the content type ${headers.get('content-type')}`)
  const parsed = schema.safeParse(JSON.parse(text))
  if (!parsed.success) fail(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join(', '))
  const asked: [string, RegExp][] = [
    ['x-request-id', /^req_[0-9a-f]{32}$/],
    ['cache-control', /^no-store$/],
    ...(HEADERS[status] ? [HEADERS[status]] : []),
  ]
  for (const [name, pattern] of asked)
    if (!pattern.test(headers.get(name) ?? '')) fail(`the header ${name}: ${headers.get(name)}`)
}
