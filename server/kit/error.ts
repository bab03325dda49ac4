import type { ErrorCode } from '../contract/mistakes/errors.ts'
import { isReason, type Reason, sentenceOf, type Values } from '../contract/reasons.ts'

type Code = ErrorCode | Reason

type Details = {
  /** The offending field of the input. */
  field?: string
  /** Whole seconds until a retry makes sense. */
  retryAfter?: number
  /** The latest feedback event of the decision. */
  latestEvent?: string | undefined
  /** A word that tells the merchant why, in the list of refusals. It is not sent to the caller. */
  detail?: string
  cause?: unknown
}

type DetailsOf<C extends Code> = Details & (C extends Reason ? Values<C> : object)

/**
 * An error that the caller is answered with. Its code is one of `contract/mistakes/errors.ts` for the public API, or one of
 * `contract/reasons.ts` for the console and the command line, whose sentence is then the message. Each entry point knows
 * its own codes; it logs any other error and answers it as `internal-error`.
 */
export class AppError<C extends Code = Code> extends Error {
  readonly code: C
  readonly field: string | undefined
  readonly retryAfter: number | undefined
  readonly latestEvent: string | undefined
  readonly detail: string | undefined
  /** Whether it is counted and stored for the merchant. */
  isRecorded = true

  constructor(code: C, ...[details]: object extends DetailsOf<C> ? [details?: DetailsOf<C>] : [details: DetailsOf<C>]) {
    super(messageOf(code, details), { cause: details?.cause })
    this.code = code
    this.field = details?.field
    this.detail = details?.detail
    this.latestEvent = details?.latestEvent
    this.retryAfter = details?.retryAfter ?? (code === 'unavailable' ? 1 : undefined)
  }
}

/** A sentence for people, or the code and the field for the log. */
function messageOf(code: Code, details: Details = {}): string {
  if (isReason(code)) return sentenceOf(code, details)
  return details.field === undefined ? code : `${code}: ${details.field}`
}

/**
 * The process cannot start or continue until its operator changes something: a setting, the database, the data directory.
 * The message says what. No client ever gets it.
 */
export class OperatorError extends Error {}
