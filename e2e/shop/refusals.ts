import { TollgateError } from '@tollgate/node'
import type { Action } from './fields.ts'
import type { Facts, Log } from './log.ts'

/** The message for the visitor if Tollgate refused a form, and what they can do next. */
export type Advice = {
  readonly status: number
  readonly title: string
  readonly text: string
  /** `repeat` submits the same attempt again; `renew` shows a new form with what was typed; `leave` offers neither. */
  readonly next: 'repeat' | 'renew' | 'leave'
}

const undone: Readonly<Record<Action, string>> = {
  checkout: 'We couldn’t take your order right now; nothing was charged.',
  signup: 'We couldn’t sign you up right now.',
}

/** For `catch`: what a call to Tollgate rejects with, as a value; whatever else was thrown goes on. */
export function asRefusal(error: unknown): TollgateError {
  if (error instanceof TollgateError) return error
  throw error
}

/** Puts a refusal into words. Total over whatever the service may answer, and none of it counts as success. */
export function adviseOn(refusal: TollgateError, action: Action): Advice {
  const { status, code, retryAfter } = refusal
  if (isMisconfiguration(refusal)) {
    return {
      status: 500,
      title: 'Something is wrong on our side',
      text: `${undone[action]} We are looking into it. Please come back later.`,
      next: 'leave',
    }
  }
  if (status === 402) {
    return {
      status: 402,
      title: 'The counter is closed for a moment',
      text: `${undone[action]} The fault is ours, not yours: please try again a little later.`,
      next: 'repeat',
    }
  }
  if (status === 409) {
    return { status: 409, title: 'One more time, please', text: renewals[code] ?? mismatch, next: 'renew' }
  }
  if (status === 429) {
    const pause = retryAfter === 1 ? '1 second' : `${retryAfter ?? 10} seconds`
    return {
      status: 429,
      title: 'It’s busy just now',
      text: `${undone[action]} Please wait ${pause}, then try again.`,
      next: 'repeat',
    }
  }
  return {
    status: 503,
    title: 'That took too long',
    text: 'We couldn’t finish the check just now. Try again: it goes on where it stopped, and nothing happens twice.',
    next: 'repeat',
  }
}

const mismatch = 'The check didn’t fit this form. Here is a fresh one with what you typed; please send it again.'

const renewals: Readonly<Record<string, string>> = {
  'intent-expired': 'The check ran out of time. Here is a fresh form with what you typed; please send it again.',
  'already-redeemed':
    'This check has been used already. Here is a fresh form with what you typed; please look it over, then send it again.',
}

/**
 * Whether the shop itself is set up wrongly (secret, sitekey, host name, a disabled site, a malformed request):
 * the visitor cannot fix it and repeating is useless, so the operator has to look.
 */
export function isMisconfiguration({ status = 503, code, retryable }: TollgateError): boolean {
  if (retryable) return false
  if (code === 'unexpected-answer') return true
  // Exemptions are the site's to switch off at any time: then the check is simply asked for.
  if (code === 'grants-disabled') return false
  return status < 500 && status !== 402 && status !== 409
}

/** Tells the operator what is needed to ask Tollgate's support about it. */
export function logRefusal(log: Log, refusal: TollgateError, facts: Facts): void {
  const { status, code, field, requestId } = refusal
  const event = isMisconfiguration(refusal) ? 'tollgate-misconfigured' : 'tollgate-refused'
  log(event, { ...facts, status, code, field, request: requestId })
}

/** Something to be said above a page, with the page's status. */
export type Notice = { readonly status: number; readonly text: string; readonly retryAfter?: number | undefined }

/** Why the next check cannot be skipped. Nothing is lost by it: the next form asks for the check as usual. */
export function regretExemption(refusal: TollgateError): Notice {
  return regret(refusal, exemptionRegrets, 'We couldn’t arrange that just now. Try again, or do the check next time.')
}

const exemptionRegrets: Readonly<Record<string, string>> = {
  'grant-exists':
    'Skipping has been arranged for this before, on other terms. The next form asks for the check as usual.',
  'grant-invalid':
    'Only a check done in the last ten minutes lets you skip the next one. The next form asks for the check as usual.',
  'grants-disabled': 'Skipping the check isn’t offered at the moment. The next form asks for it as usual.',
}

/** Why a device could not be forgotten at Tollgate. In the shop it is. */
export function regretForgetting(refusal: TollgateError): Notice {
  const text = 'We don’t skip the check on this device any more, but couldn’t tell Tollgate so yet. Please try again.'
  return regret(refusal, {}, text)
}

/** Why a report was not taken. */
export function regretReport(refusal: TollgateError): Notice {
  return regret(refusal, reportRegrets, 'The report couldn’t be delivered just now. It is kept; please send it again.')
}

const reportRegrets: Readonly<Record<string, string>> = {
  'feedback-closed': 'Decisions can be reported for seven days. This one is older, so what was said last stays.',
  'supersede-required':
    'Somebody has reported this decision already, and our records don’t know how. Nothing was changed.',
  'supersede-stale':
    'Somebody has corrected this report meanwhile, and our records don’t know how. Nothing was changed.',
  'event-conflict': 'This report was sent before with other contents. Please make it anew.',
  'bad-request': 'The report didn’t fit the decision. Please make it anew.',
}

function regret(refusal: TollgateError, texts: Readonly<Record<string, string>>, otherwise: string): Notice {
  const { status, code, retryAfter } = refusal
  const text = texts[code]
  if (text !== undefined) return { status: 409, text }
  if (isMisconfiguration(refusal)) return { status: 500, text: otherwise }
  return { status: status === 429 ? 429 : 503, text: otherwise, retryAfter: retryAfter ?? 10 }
}
