import type { Action } from './fields.ts'
import type { Refusal } from './tollgate.ts'

/** What the visitor is told when Tollgate did not let a form through, and what can be done next. */
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

/** Puts a refusal into words. Total over whatever the service may answer, and none of it counts as success. */
export function adviseOn(refusal: Refusal, action: Action): Advice {
  const { status, code, retryAfter } = refusal
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
  if (isMisconfiguration(refusal)) {
    return {
      status: 500,
      title: 'Something is wrong on our side',
      text: `${undone[action]} We are looking into it. Please come back later.`,
      next: 'leave',
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
 * no visitor can help it and repeating is useless, so somebody has to look.
 */
export function isMisconfiguration({ status, code }: Refusal): boolean {
  if (code === 'unexpected-answer') return true
  return status < 500 && ![402, 408, 409, 429].includes(status)
}
