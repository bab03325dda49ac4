/**
 * Every error of the public API: its code and HTTP status, what it means and what the caller can do.
 * The API answers from this catalogue, and docs/errors.md is generated from it.
 */
export const ERRORS = {
  'bad-request': {
    status: 400,
    meaning: 'The body is not one valid JSON document in UTF-8, or is nested more than 8 levels deep.',
    remedy: 'Send one JSON object. Do not retry unchanged.',
  },
  'bad-field': {
    status: 422,
    meaning: 'A field is missing, unknown, or of the wrong type or format, or its value belongs to another site.',
    remedy: 'Correct the field named in `field`. Do not retry unchanged.',
  },
  'secret-in-body': {
    status: 422,
    meaning: 'The body contains a secret key, or a field named like one.',
    remedy:
      'Send the secret only in the Authorization header, and rotate it, because it may have been logged on the way.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The Authorization header is missing, duplicated or malformed, or the secret is unknown or revoked.',
    remedy:
      'Send `Authorization: Bearer <SECRET_KEY>` with an active secret of the site. `Tollgate-Authorization` of the reply says what arrived: `missing` (a proxy may have removed the header), `malformed` or `unknown`.',
  },
  'quota-exceeded': {
    status: 402,
    meaning: 'The tenant has neither monthly quota nor balance left.',
    remedy: 'Raise the quota or add balance, then retry with the same parameters. This request was not charged.',
  },
  'origin-not-allowed': {
    status: 403,
    meaning: 'The Origin is missing or `null`, is not the intent’s hostname, or its hostname is no longer allowed.',
    remedy: 'Allow the hostname for the site, and open the intent with the page’s hostname.',
  },
  'site-disabled': {
    status: 403,
    meaning: 'The site is paused or its tenant is suspended.',
    remedy: 'Resume the site, or contact support. Intents and tokens that have not expired then work again.',
  },
  'grants-disabled': {
    status: 403,
    meaning: 'Grants are off in this deployment or for this site.',
    remedy: 'Set GRANTS=on, switch grants on in the site’s policy, or open the intent without a grant.',
  },
  'not-found': {
    status: 404,
    meaning: 'No such path.',
    remedy: 'Check the path. It has no trailing slash and no encoded characters.',
  },
  'method-not-allowed': { status: 405, meaning: 'The path only accepts POST.', remedy: 'Use POST.' },
  'nonce-conflict': {
    status: 409,
    meaning: 'This nonce was already used for an intent with other fields.',
    remedy: 'Use a new nonce for each form. Repeat a nonce only with exactly the same fields.',
  },
  'intent-expired': {
    status: 409,
    meaning:
      'The intent or its token has expired, or the grant that let it skip the challenge was revoked. At `/challenge` also: the intent was redeemed.',
    remedy: 'Open a new intent with a new nonce and show the form again.',
  },
  'grant-invalid': {
    status: 409,
    meaning:
      'The grant is unknown, expired, revoked or used up, or belongs to another site or session; or this decision cannot issue one.',
    remedy: 'Open the intent without a grant. A decision can issue a grant for 10 minutes, for its own session.',
  },
  'response-invalid': {
    status: 409,
    meaning: 'The token is forged, altered, or belongs to another intent or site; or the intent is unknown.',
    remedy: 'Treat the visitor as not verified and show a new form.',
  },
  'binding-mismatch': {
    status: 409,
    meaning: 'The action or hostname differs from the intent’s.',
    remedy: 'Send the action and hostname that you stored with the intent, never those of the request.',
  },
  'already-redeemed': {
    status: 409,
    meaning: 'The intent was redeemed with another idempotency key, or more than 10 minutes ago.',
    remedy: 'Look up what you stored for this intent. Do not run the action again.',
  },
  'idempotency-conflict': {
    status: 409,
    meaning: 'The intent was redeemed with this key and other parameters.',
    remedy: 'Store the parameters at the first submission and repeat exactly those.',
  },
  'challenge-expired': {
    status: 409,
    meaning: 'The challenge has expired, or was invalidated by a wrong solution for the same intent.',
    remedy: 'Request a new challenge. The component does this automatically.',
  },
  'feedback-closed': {
    status: 409,
    meaning: 'More than 7 days have passed since the redemption, or the decision has 20 revisions already.',
    remedy: 'This decision accepts no more feedback. Report within 7 days in future.',
  },
  'event-conflict': {
    status: 409,
    meaning: 'This event_id was used with other fields.',
    remedy: 'Use a new event_id. To correct an event, send its id in supersedes_event_id.',
  },
  'supersede-required': {
    status: 409,
    meaning: 'The decision already has feedback, and supersedes_event_id is missing.',
    remedy:
      'If the report is still needed, send it as a new event with the id of the latest one in supersedes_event_id. `Tollgate-Latest-Event` of the reply has that id.',
  },
  'supersede-stale': {
    status: 409,
    meaning: 'supersedes_event_id is not the most recent event of this decision.',
    remedy:
      'Another event came first, for example a correction in the console. If yours is still needed, send a new event that supersedes the latest one, whose id is in `Tollgate-Latest-Event` of the reply. Without this header the decision has no feedback: omit supersedes_event_id.',
  },
  'grant-exists': {
    status: 409,
    meaning: 'This decision already issued a grant with other fields.',
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
    remedy: 'Request a new challenge. The component does this automatically.',
  },
  'rate-limited': {
    status: 429,
    meaning:
      'A rate limit was reached. At `/challenge`, `Retry-After` up to 60 is the visitor’s place in line, which the component waits for, and 3600 says that a list denies the network.',
    remedy: 'Wait for the seconds in Retry-After, then repeat the same request.',
  },
  'internal-error': {
    status: 500,
    meaning: 'An internal error, logged with the request id.',
    remedy: 'Retry later with the same parameters. If the error persists, report the X-Request-Id.',
  },
  unavailable: {
    status: 503,
    meaning: 'The service is overloaded or shutting down, or the database did not answer in time.',
    remedy: 'Retry after Retry-After seconds with the same parameters and key. You are never charged twice.',
  },
} as const satisfies Record<string, { status: number; meaning: string; remedy: string }>

export type ErrorCode = keyof typeof ERRORS

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

/** The detail of a stored `secret-in-body` whose caller sent no secret in the header, so that it can be anyone. */
export const UNAUTHENTICATED = 'unauthenticated'
