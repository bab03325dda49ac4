/** Details of a failure in addition to its code. */
export interface ErrorDetails {
  /** HTTP status; undefined without an answer. */
  status?: number | undefined
  /** The first offending field, with its name on the wire. */
  field?: string | undefined
  /** The answer's X-Request-Id: for searching in the console and for support. */
  requestId?: string | undefined
  /** Seconds until a retry makes sense. */
  retryAfter?: number | undefined
  /** Whether the same call may succeed a moment later. */
  retryable?: boolean | undefined
  /** The decision's latest event, of `SupersedeRequiredError` and `SupersedeStaleError`. */
  latestEventId?: string | undefined
}

/**
 * The error of a failed call. Every failure of a call is one of these (or the reason of your own `signal`);
 * none of them is a pass. Decide by `code` or by the class.
 */
export class TollgateError extends Error {
  /** The service's code, such as `already-redeemed`, or `unreachable` or `unexpected-answer`. */
  readonly code: string
  /** HTTP status; undefined if no answer came, or nothing was sent because an argument breaks a rule. */
  readonly status: number | undefined
  /** With `bad-request`: the first offending field, with its name on the wire. */
  readonly field: string | undefined
  /** Log it: you can search for it in the console, and support needs it. */
  readonly requestId: string | undefined
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined
  /**
   * Whether the same call may succeed a moment later. It was already repeated until the deadline, and its result
   * may be unknown: retry with the same nonce, idempotency key or event id.
   */
  readonly retryable: boolean

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    const { status, field, requestId, retryAfter, retryable = false } = details
    super(message)
    this.name = new.target.name
    this.code = code
    this.status = status
    this.field = field
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.retryable = retryable
  }
}

export class BadRequestError extends TollgateError {}
export class SecretInBodyError extends TollgateError {}
export class UnauthorizedError extends TollgateError {}
export class QuotaExceededError extends TollgateError {}
export class SiteDisabledError extends TollgateError {}
export class GrantsDisabledError extends TollgateError {}
export class NotFoundError extends TollgateError {}
export class MethodNotAllowedError extends TollgateError {}
export class NonceConflictError extends TollgateError {}
export class IntentExpiredError extends TollgateError {}
export class GrantInvalidError extends TollgateError {}
export class ResponseInvalidError extends TollgateError {}
export class BindingMismatchError extends TollgateError {}
export class AlreadyRedeemedError extends TollgateError {}
export class IdempotencyConflictError extends TollgateError {}
export class FeedbackClosedError extends TollgateError {}
export class EventConflictError extends TollgateError {}

/** The report does not supersede the decision's latest event. */
export class SupersedeError extends TollgateError {
  /**
   * The decision's latest event: name it in `supersedesEventId` of a new event if the report is still needed. Undefined if the
   * decision has no feedback.
   */
  readonly latestEventId: string | undefined

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(code, message, details)
    this.latestEventId = details.latestEventId
  }
}
export class SupersedeRequiredError extends SupersedeError {}
export class SupersedeStaleError extends SupersedeError {}

export class GrantExistsError extends TollgateError {}
export class PayloadTooLargeError extends TollgateError {}
export class UnsupportedMediaTypeError extends TollgateError {}
export class RateLimitedError extends TollgateError {}
export class InternalError extends TollgateError {}
export class UnavailableError extends TollgateError {}

/** No answer from the service: network error, timeout, lost connection, or a proxy that found no service (502, 504). */
export class UnreachableError extends TollgateError {}

/** An answer that does not belong to this call: wrong binding, not JSON, a redirection, a status without a code. */
export class UnexpectedAnswerError extends TollgateError {}
