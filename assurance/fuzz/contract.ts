/** The replies that the contract allows for any request. A separate table, so that errors in the server's are found. */

const CODES: Record<number, readonly string[]> = {
  400: ['bad-request'],
  401: ['unauthorized'],
  402: ['quota-exceeded'],
  403: ['origin-not-allowed', 'site-disabled', 'grants-disabled'],
  404: ['not-found'],
  405: ['method-not-allowed'],
  409: (
    'nonce-conflict intent-expired grant-invalid response-invalid binding-mismatch already-redeemed idempotency-conflict ' +
    'challenge-expired feedback-closed event-conflict supersede-required supersede-stale grant-exists'
  ).split(' '),
  413: ['payload-too-large'],
  415: ['unsupported-media-type'],
  422: ['secret-in-body', 'solution-invalid'],
  429: ['rate-limited'],
}

/** The successful replies, by their members in order, and the answers of the health probes. */
const SUCCESSES = new Set([
  'intent_id,sitekey,action,hostname,expires_at',
  'success,intent_id,action,hostname,decision_id,assessment',
  'accepted,event_id,revision,expires_at',
  'grant_id,expires_at,uses',
  'revoked',
  'kind,challenge,seed,count,target,expires_at',
  'kind,response,expires_at',
  'response,expires_at',
  'status',
])

type Seen = { status: number; header: (name: string) => string | undefined; body: string }

function bodyFault(status: number, body: string): string | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return 'a body that is no JSON'
  }
  if (typeof parsed !== 'object' || parsed === null || JSON.stringify(parsed) !== body)
    return 'a body of another spelling'
  const names = Object.keys(parsed).join(',')
  if (status === 200) return SUCCESSES.has(names) ? undefined : `members ${names}`
  const { error, field } = parsed as { error?: unknown; field?: unknown }
  if (names === 'error,field')
    return status === 422 && error === 'bad-request' && typeof field === 'string' ? undefined : 'a field out of place'
  return names === 'error' && CODES[status]?.includes(String(error))
    ? undefined
    : 'a code that the status does not have'
}

/** Why the reply violates the contract; undefined if it does not. `bodiless`: it answers HEAD. */
export function faultOf({ status, header, body }: Seen, bodiless = false): string | undefined {
  if (status >= 500) return `the status ${status}`
  if (!/^req_[0-9a-f]{32}$/.test(header('x-request-id') ?? '')) return 'no X-Request-Id'
  if (status === 204)
    return body === '' && header('access-control-allow-methods') === 'POST' ? undefined : 'a bad preflight'
  if (header('cache-control') !== 'no-store') return 'a reply that may be stored'
  if (status === 429 && !/^[1-9]\d*$/.test(header('retry-after') ?? '')) return 'no Retry-After'
  if (status === 405 && header('allow') !== 'POST') return 'no Allow'
  if (status === 401 && header('www-authenticate') !== 'Bearer') return 'no WWW-Authenticate'
  return bodiless && body === '' ? undefined : bodyFault(status, body)
}
