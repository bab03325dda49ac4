type Kind = 'work' | 'refusals'
type Cause = { endpoint: string; code: string; field: string | null }

/** By the code of the most frequent refusal, or the code and the field. */
const SUBJECTS: Readonly<Record<string, string>> = {
  unauthorized: 'Invalid secrets',
  'bad-field hostname': 'Hostname not allowed',
  'bad-field response': 'Missing or malformed tokens',
  'origin-not-allowed': 'Pages not allowed',
  'response-invalid': 'Forged tokens',
  'binding-mismatch': 'Tokens of another action or host',
  'already-redeemed': 'Tokens used twice',
  'intent-expired': 'Expired intents',
  'challenge-expired': 'Expired challenges',
  'solution-invalid': 'Wrong solutions',
  'quota-exceeded': 'No units left',
  'rate-limited': 'Rate limit reached',
}

const OTHER_REFUSALS = 'Refused requests'

/** What an incident is about, without names of the tenant: `Forged tokens`. */
export function incidentSubject(kind: Kind, cause: Cause | null): string {
  if (kind === 'work') return 'Unusual traffic'
  if (cause === null) return OTHER_REFUSALS
  return SUBJECTS[cause.code] ?? SUBJECTS[`${cause.code} ${cause.field}`] ?? OTHER_REFUSALS
}

/** The subjects that a host makes clear. */
const OF_HOST = new Set(['Hostname not allowed', 'Pages not allowed'])

/** `Forged tokens on Storefront`, `Hostname not allowed on Storefront: beta.example`. */
export function incidentTitle({
  kind,
  cause,
  site,
  hostname,
  action,
}: {
  kind: Kind
  cause: Cause | null
  site: string
  hostname: string | null
  action: string | null
}): string {
  const subject = incidentSubject(kind, cause)
  const refusal =
    cause && [cause.code === 'bad-field' ? 'bad-request' : cause.code, cause.field].filter(Boolean).join(' ')
  const detail =
    kind === 'work' ? action : OF_HOST.has(subject) ? hostname : subject === OTHER_REFUSALS ? refusal : null
  return `${subject} on ${site}${detail === null ? '' : `: ${detail}`}`
}
