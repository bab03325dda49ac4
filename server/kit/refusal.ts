/**
 * Every refusal of the public contract: the code and its HTTP status, what it means and what the caller can do.
 * The one catalogue from which the door answers and docs/errors.md is generated.
 */
export const CATALOGUE = {
  'bad-request': {
    status: 400,
    meaning: 'The body is not one valid JSON document of UTF-8 text, or it nests deeper than 8.',
    remedy: 'Send one JSON object. Do not retry unchanged.',
  },
  'bad-field': {
    status: 422,
    meaning: 'A field is missing, unknown, of the wrong type or format, or its value is not this site’s.',
    remedy: 'Correct the field named in `field`. Do not retry unchanged.',
  },
  'secret-in-body': {
    status: 422,
    meaning: 'The body carries a secret key, or a field named like one.',
    remedy: 'Send the secret in the Authorization header only, and rotate it: it may have been logged on its way.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The Authorization header is missing, doubled or malformed, or the secret is unknown or revoked.',
    remedy: 'Send `Authorization: Bearer <SECRET_KEY>` with a live secret of the site.',
  },
  'quota-exceeded': {
    status: 402,
    meaning: 'The tenant has neither monthly quota nor balance left.',
    remedy: 'Raise the quota or add balance, then retry with the same parameters. Nothing was charged.',
  },
  'origin-not-allowed': {
    status: 403,
    meaning: 'The Origin is missing, `null`, not the intent’s hostname, or its hostname is no longer allowed.',
    remedy: 'Allow the hostname for the site, and open the intent with the hostname of the page.',
  },
  'site-disabled': {
    status: 403,
    meaning: 'The site is paused or its tenant is suspended.',
    remedy: 'Resume the site, or ask support. Intents and tokens still in their time work again then.',
  },
  'grants-disabled': {
    status: 403,
    meaning: 'Grants are off in this deployment or for this site.',
    remedy: 'Set GRANTS=on, switch grants on in the site’s policy, or open the intent without a grant.',
  },
  'not-found': { status: 404, meaning: 'No such path.', remedy: 'Check the path: no trailing slash, nothing encoded.' },
  'method-not-allowed': { status: 405, meaning: 'The path takes POST only.', remedy: 'Use POST.' },
  'nonce-conflict': {
    status: 409,
    meaning: 'This nonce made an intent with other fields.',
    remedy: 'Use a fresh nonce for each form; repeat one only with the very same fields.',
  },
  'intent-expired': {
    status: 409,
    meaning:
      'The intent, or the token made for it, is past its lifetime; or the grant that let it skip the challenge was revoked.',
    remedy: 'Open a new intent with a new nonce and show the form again.',
  },
  'grant-invalid': {
    status: 409,
    meaning:
      'The grant is unknown, of another site or session, expired, revoked or used up; or the decision cannot give one.',
    remedy: 'Open the intent without a grant. A decision gives one for 10 minutes, for its own session.',
  },
  'response-invalid': {
    status: 409,
    meaning: 'The token is forged, altered, of another intent or another site; or the intent is unknown.',
    remedy: 'Treat the visitor as not verified and show a fresh form.',
  },
  'binding-mismatch': {
    status: 409,
    meaning: 'Action or hostname differ from the intent’s.',
    remedy: 'Send the action and hostname that you stored with the intent, never those of the request.',
  },
  'already-redeemed': {
    status: 409,
    meaning: 'The intent was redeemed with another idempotency key, or more than 10 minutes ago.',
    remedy: 'Look up what you stored for this intent; do not run the action again.',
  },
  'idempotency-conflict': {
    status: 409,
    meaning: 'This key redeemed the intent with other parameters.',
    remedy: 'Freeze the parameters at the first submission and repeat exactly those.',
  },
  'challenge-expired': {
    status: 409,
    meaning: 'The challenge is too old, or a wrong solution of the same intent has ended it.',
    remedy: 'Take a new challenge (the widget does so by itself).',
  },
  'feedback-closed': {
    status: 409,
    meaning: 'More than 7 days have passed since the redemption, or the decision has 20 revisions already.',
    remedy: 'Report earlier; this decision takes no more feedback.',
  },
  'event-conflict': {
    status: 409,
    meaning: 'This event_id was used with other fields.',
    remedy: 'Use a new event_id; to correct, name the event it supersedes.',
  },
  'supersede-required': {
    status: 409,
    meaning: 'The decision has feedback already, and supersedes_event_id is absent.',
    remedy: 'Name the latest event in supersedes_event_id.',
  },
  'supersede-stale': {
    status: 409,
    meaning: 'supersedes_event_id is not the most recent event of this decision.',
    remedy: 'Read your latest event again and supersede that one.',
  },
  'grant-exists': {
    status: 409,
    meaning: 'This decision already gave a grant with other fields.',
    remedy: 'Use the grant that you stored.',
  },
  'payload-too-large': {
    status: 413,
    meaning: 'The body is larger than 16 KiB.',
    remedy: 'Send only the documented fields.',
  },
  'unsupported-media-type': {
    status: 415,
    meaning: 'The Content-Type is not application/json (charset absent or utf-8), or the body is compressed.',
    remedy: 'Send `Content-Type: application/json`, uncompressed.',
  },
  'solution-invalid': {
    status: 422,
    meaning: 'The proof of work is wrong.',
    remedy: 'Take a new challenge (the widget does so by itself).',
  },
  'rate-limited': {
    status: 429,
    meaning: 'A limit was reached.',
    remedy: 'Wait for Retry-After seconds and repeat the same request.',
  },
  'internal-error': {
    status: 500,
    meaning: 'A fault of ours, logged under the request id.',
    remedy: 'Retry later with the same parameters; send us the X-Request-Id if it stays.',
  },
  unavailable: {
    status: 503,
    meaning: 'Overload, shutdown, or the database cannot answer in time.',
    remedy: 'Retry after Retry-After seconds with the same parameters and key: nothing is charged twice.',
  },
} as const satisfies Record<string, { status: number; meaning: string; remedy: string }>

export type RefusalCode = keyof typeof CATALOGUE

/** A refusal that a verb throws and a door answers; everything else that is thrown is masked as `internal-error`. */
export class Refusal extends Error {
  readonly code: RefusalCode
  /** The offending field of a `bad-field`. */
  readonly field: string | undefined
  /** Whole seconds until a retry makes sense: 429 and 503 only. */
  readonly retryAfter: number | undefined

  constructor(code: RefusalCode, details: { field?: string; retryAfter?: number; cause?: unknown } = {}) {
    super(details.field === undefined ? code : `${code}: ${details.field}`, { cause: details.cause })
    this.code = code
    this.field = details.field
    this.retryAfter = details.retryAfter ?? (code === 'unavailable' ? 1 : undefined)
  }
}
