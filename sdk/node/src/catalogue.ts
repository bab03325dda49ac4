import {
  AlreadyRedeemedError,
  BadRequestError,
  BindingMismatchError,
  type ErrorDetails,
  EventConflictError,
  FeedbackClosedError,
  GrantExistsError,
  GrantInvalidError,
  GrantsDisabledError,
  IdempotencyConflictError,
  IntentExpiredError,
  InternalError,
  MethodNotAllowedError,
  NonceConflictError,
  NotFoundError,
  PayloadTooLargeError,
  QuotaExceededError,
  RateLimitedError,
  ResponseInvalidError,
  SecretInBodyError,
  SiteDisabledError,
  SupersedeRequiredError,
  SupersedeStaleError,
  TollgateError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
  UnreachableError,
  UnsupportedMediaTypeError,
} from './errors.ts'
import { COMMON } from './messages.ts'

type Kind = {
  readonly class: typeof TollgateError
  /** The statuses of the code; empty for codes of the SDK itself. */
  readonly statuses: readonly number[]
  readonly says: string
}

/** Every code that a backend can get: class, statuses, what happened and what to do. */
export const CATALOGUE: Readonly<Record<string, Kind>> = {
  'bad-request': {
    class: BadRequestError,
    statuses: [400, 422],
    says: 'A value is missing, malformed or not this site’s: correct it before you call again.',
  },
  'secret-in-body': {
    class: SecretInBodyError,
    statuses: [422],
    says: 'One of the values holds a secret key: take it out, and rotate the key if it was in a form, a page or a log.',
  },
  unauthorized: {
    class: UnauthorizedError,
    statuses: [401],
    says: 'The secret key is unknown or revoked, or a proxy removed the Authorization header: use an active secret key of the site, and let proxies pass the header on.',
  },
  'quota-exceeded': {
    class: QuotaExceededError,
    statuses: [402],
    says: 'Neither quota nor balance is left: raise one of them, then repeat the call with the same values.',
  },
  'site-disabled': {
    class: SiteDisabledError,
    statuses: [403],
    says: 'The site is paused or its tenant is suspended: resume it in the console, or contact support.',
  },
  'grants-disabled': {
    class: GrantsDisabledError,
    statuses: [403],
    says: 'Grants are off in this deployment or for this site: open the intent without a grant.',
  },
  'not-found': {
    class: NotFoundError,
    statuses: [404],
    says: 'There is no such endpoint: check the path of `url`.',
  },
  'method-not-allowed': {
    class: MethodNotAllowedError,
    statuses: [405],
    says: 'The method was changed on the way: check the proxies between you and the service.',
  },
  'nonce-conflict': {
    class: NonceConflictError,
    statuses: [409],
    says: 'This nonce was already used with other values: generate a new nonce for each form.',
  },
  'intent-expired': {
    class: IntentExpiredError,
    statuses: [409],
    says: 'The intent is past its life: show a fresh form with a new intent.',
  },
  'grant-invalid': {
    class: GrantInvalidError,
    statuses: [409],
    says: 'The grant cannot be used, or the decision cannot give one: continue without a grant.',
  },
  'response-invalid': {
    class: ResponseInvalidError,
    statuses: [409],
    says: 'The token is not one for this intent: treat the visitor as not verified and show a fresh form.',
  },
  'binding-mismatch': {
    class: BindingMismatchError,
    statuses: [409],
    says: 'Action or hostname are not the intent’s: send those that you stored with it.',
  },
  'already-redeemed': {
    class: AlreadyRedeemedError,
    statuses: [409],
    says: 'The intent was redeemed with another idempotency key or too long ago: look up what you stored for it.',
  },
  'idempotency-conflict': {
    class: IdempotencyConflictError,
    statuses: [409],
    says: 'This idempotency key redeemed the intent with other values: repeat exactly those that you stored.',
  },
  'feedback-closed': {
    class: FeedbackClosedError,
    statuses: [409],
    says: 'The decision is older than 7 days or has 20 revisions: it takes no more feedback.',
  },
  'event-conflict': {
    class: EventConflictError,
    statuses: [409],
    says: 'This event id was used with other values: draw a new one, and name the event that it supersedes.',
  },
  'supersede-required': {
    class: SupersedeRequiredError,
    statuses: [409],
    says: `${COMMON.supersede_required}.`,
  },
  'supersede-stale': {
    class: SupersedeStaleError,
    statuses: [409],
    says: `${COMMON.supersede_stale}.`,
  },
  'grant-exists': {
    class: GrantExistsError,
    statuses: [409],
    says: 'This decision already issued a grant with other values: use the one that you stored.',
  },
  'payload-too-large': {
    class: PayloadTooLargeError,
    statuses: [413],
    says: 'The request was enlarged on its way: check the proxies between you and the service.',
  },
  'unsupported-media-type': {
    class: UnsupportedMediaTypeError,
    statuses: [415],
    says: 'The request’s type was changed on its way: check the proxies between you and the service.',
  },
  'rate-limited': {
    class: RateLimitedError,
    statuses: [429],
    says: 'A limit was reached: repeat the call with the same values later.',
  },
  'internal-error': {
    class: InternalError,
    statuses: [500],
    says: 'The service met a fault of its own: try the same values again later, and report the request id if it stays.',
  },
  unavailable: {
    class: UnavailableError,
    statuses: [503],
    says: 'The service cannot do the work at the moment: repeat the call with the same values later.',
  },
  unreachable: {
    class: UnreachableError,
    statuses: [],
    says: 'The service gave no answer, so what became of the call is not known: repeat it with the same values.',
  },
  'unexpected-answer': {
    class: UnexpectedAnswerError,
    statuses: [],
    says: 'The answer does not belong to this call: check `url`, the keys, and the proxies between you and the service.',
  },
}

/** The code's entry, if it is a known one. */
export const kindOf = (code: string): Kind | undefined => (Object.hasOwn(CATALOGUE, code) ? CATALOGUE[code] : undefined)

/**
 * The error of this code, in its class. `reason`: additional details, in a few words. `message`: a more specific sentence
 * than the catalogue has.
 */
export function fail(code: string, details: ErrorDetails, reason?: string, message?: string): TollgateError {
  const { class: Class = TollgateError, says = 'The service refused in a way that this version does not know.' } =
    kindOf(code) ?? {}
  const { field, status, requestId } = details
  const facts = [
    code,
    field !== undefined && `field ${field}`,
    status !== undefined && `status ${status}`,
    reason,
    requestId,
  ].filter(Boolean)
  return new Class(code, `${message ?? says} (${facts.join(', ')})`, details)
}
