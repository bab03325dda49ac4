import { type ClassName, ERRORS } from './messages.ts'

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
  /** The decision's latest event, with `supersede-required` and `supersede-stale`. */
  latestEventId?: string | undefined
}

/**
 * The error of a failed call. Every failure of a call is one of these (or the reason of your own `signal`); none of them is a
 * pass. The class says what to do; `code` says what happened. Its own class only for a code that is newer than this version.
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
  /**
   * With `supersede-required` and `supersede-stale`: the decision's latest event. Name it in `supersedesEventId` of a new event
   * if the report is still needed. Undefined if the decision has no feedback.
   */
  readonly latestEventId: string | undefined

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    const { status, field, requestId, retryAfter, retryable = false, latestEventId } = details
    super(message)
    this.name = new.target.name
    this.code = code
    this.status = status
    this.field = field
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.retryable = retryable
    this.latestEventId = latestEventId
  }
}

/** The service refused, for a reason that is not yours. Of `verify`: the visitor is not verified; show a fresh form. */
export class RefusedError extends TollgateError {}

/** No decision was possible, or it is not known. The same call with the same values may succeed later; nothing is done twice. */
export class UnavailableError extends TollgateError {}

/** Keys, address, site or a proxy in between are not right, so that every call fails: alert yourself. */
export class MisconfiguredError extends TollgateError {}

/** A value of the call breaks a rule, or is not the one that you stored: a mistake in your program. */
export class InvalidError extends TollgateError {}

const CLASSES: Readonly<Record<ClassName, typeof TollgateError>> = {
  RefusedError,
  UnavailableError,
  MisconfiguredError,
  InvalidError,
}

/** What is known of the code, if it is a known one. */
export const kindOf = (code: string) => (Object.hasOwn(ERRORS, code) ? ERRORS[code] : undefined)

function classOf(code: string, field: string | undefined): typeof TollgateError {
  // a response is the visitor's value, so a malformed one is no mistake of the program
  if (code === 'bad-request' && field === 'response') return RefusedError
  const kind = kindOf(code)
  return kind ? CLASSES[kind.class] : TollgateError
}

/**
 * The error of this code, in its class. `reason`: additional details, in a few words. `message`: a more specific sentence than
 * that of the code, without its full stop.
 */
export function fail(code: string, details: ErrorDetails, reason?: string, message?: string): TollgateError {
  const kind = kindOf(code)
  const { field, status, requestId } = details
  const Class = details.retryable ? UnavailableError : classOf(code, field)
  const says = message ?? kind?.says ?? 'The service refused in a way that this version does not know'
  const facts = [
    code,
    field !== undefined && `field ${field}`,
    status !== undefined && `status ${status}`,
    reason,
    requestId,
  ].filter(Boolean)
  return new Class(code, `${says}. (${facts.join(', ')})`, details)
}
