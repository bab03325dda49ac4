import { latestEventOf } from './answers.ts'
import { type ErrorDetails, fail, kindOf, type TollgateError } from './errors.ts'
import { membersOf } from './json.ts'
import { COMMON, COMPONENT, FIELDS } from './messages.ts'
import type { Reply } from './reply.ts'
import { hostAndPort } from './url.ts'

const WORTH_REPEATING = new Set([429, 503])
const REDIRECTIONS = new Set([301, 302, 303, 307, 308])

/** What the service received as Authorization, by the header of a 401. */
const AUTHORIZATIONS = new Map<string | null, string>([
  ['missing', COMMON.no_authorization],
  ['malformed', COMMON.changed_authorization],
  ['unknown', COMMON.unknown_secret],
])

/** The error of an answer other than 200. `value` is its parsed body, undefined if that is not JSON. */
export function refuse(reply: Reply, value: unknown): TollgateError {
  const { status } = reply
  const { error: code, field } = membersOf(value)
  const details: ErrorDetails = { ...factsOf(reply), retryable: WORTH_REPEATING.has(status) }
  // a proxy did not reach the service, whatever its body says
  if (status === 502 || status === 504)
    return fail('unreachable', { ...details, retryable: true }, hostAndPort(reply.url), COMMON.gateway)
  if (typeof code === 'string' && /^[a-z][a-z0-9-]{0,63}$/.test(code)) {
    const known = kindOf(code)
    if (known === undefined)
      return fail(code, details, undefined, Object.hasOwn(COMPONENT, code) ? COMPONENT[code] : undefined)
    // a code with a wrong status does not come from the service
    if (known.statuses.includes(status)) return failOn(code, { ...details, field: readField(field) }, reply)
  }
  if (status === 429) return fail('rate-limited', details)
  if (status === 503) return fail('unavailable', details)
  return fail('unexpected-answer', details, undefined, REDIRECTIONS.has(status) ? COMMON.redirected : undefined)
}

/** Explains why the service refused a field, whose grammar is right, or it would not have been sent; or the secret. */
function failOn(code: string, details: ErrorDetails, { headers }: Reply): TollgateError {
  const { field, status } = details
  if (code === 'unauthorized')
    return fail(code, details, undefined, AUTHORIZATIONS.get(headers.get('tollgate-authorization')))
  const isNamed = code === 'bad-request' && status === 422 && field !== undefined
  const says = isNamed ? `\`${camel(field)}\` ${FIELDS[field]?.service ?? COMMON.service}` : undefined
  return fail(code, { ...details, latestEventId: latestEventOf(headers) }, undefined, says)
}

const camel = (wire: string): string => wire.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Status, request id and wait of an answer. */
export function factsOf({ status, headers }: Reply): Pick<ErrorDetails, 'status' | 'requestId' | 'retryAfter'> {
  const requestId = headers.get('x-request-id') ?? ''
  return {
    status,
    requestId: /^req_[A-Za-z0-9_-]{1,64}$/.test(requestId) ? requestId : undefined,
    retryAfter: readWait(headers.get('retry-after') ?? '', headers.get('date') ?? ''),
  }
}

/** Seconds. A date is relative to the answer's own `Date` header, so that clocks may differ. */
function readWait(wait: string, date: string): number | undefined {
  if (/^\d{1,9}$/.test(wait)) return Number(wait)
  if (!wait.endsWith(' GMT')) return undefined
  const sent = Date.parse(date)
  const seconds = Math.ceil((Date.parse(wait) - (Number.isNaN(sent) ? Date.now() : sent)) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

const readField = (field: unknown): string | undefined =>
  typeof field === 'string' && /^[a-z_]{1,64}$/.test(field) ? field : undefined
