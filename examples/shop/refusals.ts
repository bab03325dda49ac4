// What visitors and operators learn when Tollgate refuses a request or does not answer.
import { RefusedError, type TollgateError, UnavailableError } from '@tollgate/node'
import type { Log } from './context.ts'
import type { Action } from './fields.ts'

/** What the visitor sees, and what they can do next. */
export type Advice = {
  readonly status: number
  readonly title: string
  readonly text: string
  /** `repeat` sends the same submission again; `renew` shows a new form with what was typed; `leave` offers neither. */
  readonly next: 'repeat' | 'renew' | 'leave'
  /** Seconds. */
  readonly retryAfter?: number
}

const undone: Readonly<Record<Action, string>> = {
  checkout: 'We couldn’t take your order right now; nothing was charged.',
  signup: 'We couldn’t sign you up right now.',
}
const renewals: Readonly<Record<string, string>> = {
  'intent-expired': 'The check ran out of time. Here is a fresh form with what you typed; please send it again.',
  'already-redeemed': 'This check has been used already. Here is a fresh form with what you typed.',
}
const mismatch = 'The check didn’t fit this form. Here is a fresh one with what you typed; please send it again.'

/** The advice for any error of Tollgate. No error is a success. */
export function adviseOn(error: TollgateError, action: Action): Advice {
  const { status, code, retryAfter = 10 } = error
  if (error instanceof RefusedError)
    return { status: 409, title: 'One more time, please', text: renewals[code] ?? mismatch, next: 'renew' }
  if (!(error instanceof UnavailableError)) {
    const text = `${undone[action]} We are looking into it. Please come back later.`
    return { status: 500, title: 'Something is wrong on our side', text, next: 'leave' }
  }
  if (status === 402) {
    const text = `${undone[action]} This is our fault: please try again a little later.`
    return { status, title: 'The counter is closed for a moment', text, next: 'repeat' }
  }
  if (status === 429) {
    const text = `${undone[action]} Please wait ${retryAfter} seconds, then try again.`
    return { status, title: 'It’s busy just now', text, next: 'repeat', retryAfter }
  }
  const text = 'We couldn’t finish the check just now. Try again: the same order is never placed twice.'
  return { status: 503, title: 'That took too long', text, next: 'repeat', retryAfter }
}

const notices: Readonly<Record<string, string>> = {
  'grant-exists': 'This was arranged before, on other terms. The next form asks for the check as usual.',
  'grant-invalid': 'Only a check of the last ten minutes lets you skip the next one. The next form asks for the check.',
  'grants-disabled': 'Skipping the check isn’t offered at the moment. The next form asks for it as usual.',
  'feedback-closed': 'A decision can be reported for seven days. This one is older, so the last report stays.',
  'supersede-required': 'Another system has reported this decision already. Nothing was changed.',
  'supersede-stale': 'Another system has corrected this report meanwhile. Nothing was changed.',
}

/** Why an exemption or a report was not accepted, with the page's status. `otherwise` is the text for an outage. */
export function noticeOf(error: TollgateError, otherwise: string): { status: number; text: string } {
  const text = notices[error.code]
  if (text !== undefined) return { status: 409, text }
  return { status: isMistake(error) ? 500 : error.status === 429 ? 429 : 503, text: otherwise }
}

/** Whether the visitor cannot fix it and repeating is useless, so the operator has to look. */
const isMistake = (error: TollgateError) => !(error instanceof RefusedError || error instanceof UnavailableError)

/** Logs what Tollgate's support needs to find the request. */
export function logRefusal(log: Log, error: TollgateError, facts: Parameters<Log>[1]): void {
  const { status, code, field, requestId: request } = error
  const event = isMistake(error) ? 'tollgate-misconfigured' : 'tollgate-refused'
  log(event, { ...facts, status, code, field, request })
}
