import { z } from 'zod'
import { codesOf, ENDPOINTS, errorBody, isPath } from '../../server/api/endpoints.ts'
import { ERRORS } from '../../server/contract/mistakes/errors.ts'

/** A reply to a POST as it came over the wire. */
type Answered = { status: number; headers: Headers; text: string }

const TYPE = 'application/json; charset=utf-8'

/** The additional headers of each status (docs: the OpenAPI document's headers). */
const HEADERS: Record<number, [name: string, pattern: RegExp]> = {
  401: ['www-authenticate', /^Bearer$/],
  405: ['allow', /^POST$/],
  429: ['retry-after', /^[1-9]\d*$/],
  503: ['retry-after', /^[1-9]\d*$/],
}

/**
 * Throws if the OpenAPI document does not declare the reply for the path: status, body, content type and
 * headers. Uses the same tables as the document. A path outside the API must answer `not-found`.
 */
export function assertDocumented(path: string, { status, headers, text }: Answered): void {
  const route = path.split('?', 1)[0] ?? ''
  const fail = (why: string) => {
    throw new Error(`POST ${route} gave an answer that /openapi.json does not declare: ${why}\n${status} ${text}`)
  }
  const codes = isPath(route)
    ? codesOf(route).filter((code) => ERRORS[code].status === status)
    : (['not-found'] as const)
  const schema = isPath(route) && status === 200 ? ENDPOINTS[route].reply : errorBody(codes)
  if (codes.length === 0 && status !== 200) fail(`the status ${status}`)
  if (!isPath(route) && status !== 404) fail(`the status ${status} of an unknown path`)
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
  const latest = headers.get('tollgate-latest-event')
  const isRecorded = route === '/feedback' && status === 200
  // a refused correction has it if the decision has feedback
  const isAllowed = latest === null ? !isRecorded : isRecorded || text.startsWith('{"error":"supersede-')
  if (!isAllowed || !z.guid().nullable().safeParse(latest).success) fail(`the header tollgate-latest-event: ${latest}`)
}
