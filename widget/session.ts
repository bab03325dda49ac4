import type { Challenge, Token } from './client.ts'
import type { ErrorCode } from './types.ts'

/**
 * Where one verification stands. A state names what is under way, so whoever drives it has only to look:
 * `loading` a challenge is being asked for, `solving` it is being solved and then handed in.
 * `expired` means that the intent has ended: only another one leads out of it.
 */
export type Session =
  | { readonly state: 'idle' }
  | { readonly state: 'loading'; readonly attempt: number; readonly waiting: boolean }
  | {
      readonly state: 'solving'
      readonly attempt: number
      readonly waiting: boolean
      readonly challenge: Challenge
      readonly ratio: number
    }
  | { readonly state: 'solved'; readonly token: Token }
  | { readonly state: 'expired' }
  | {
      readonly state: 'error'
      readonly code: ErrorCode
      readonly requestId: string | undefined
      readonly field: string | undefined
    }

export type Step =
  | { readonly type: 'start' }
  | { readonly type: 'waiting' }
  | { readonly type: 'challenged'; readonly challenge: Challenge }
  | { readonly type: 'progress'; readonly ratio: number }
  | { readonly type: 'passed'; readonly token: Token }
  | {
      readonly type: 'failed'
      readonly code: ErrorCode
      readonly requestId?: string | undefined
      readonly field?: string | undefined
    }
  | { readonly type: 'lapsed' }
  | { readonly type: 'reset' }

/** A device that needs longer than a challenge lives would go round for ever. */
const MAX_CHALLENGES = 3
/** Smaller steps are not worth an event and a repaint. */
const LEAST_PROGRESS = 0.01

export const IDLE: Session = { state: 'idle' }

/** The session after `step`; the very same object if the step means nothing in this state. */
export function advance(session: Session, step: Step): Session {
  switch (step.type) {
    case 'reset':
      return IDLE
    case 'start':
      return isWorking(session) || session.state === 'solved' ? session : load(1)
    case 'waiting':
      return isWorking(session) && !session.waiting ? { ...session, waiting: true } : session
    case 'challenged':
      return session.state === 'loading'
        ? { state: 'solving', attempt: session.attempt, waiting: false, challenge: step.challenge, ratio: 0 }
        : session
    case 'progress':
      return session.state === 'solving' && isWorthTelling(session.ratio, step.ratio)
        ? { ...session, ratio: step.ratio }
        : session
    case 'passed':
      return isWorking(session) ? { state: 'solved', token: step.token } : session
    case 'lapsed':
      if (session.state === 'solved') return { state: 'expired' }
      return session.state === 'solving' ? fail(session, 'challenge-expired') : session
    case 'failed':
      return session.state === 'idle' || isWorking(session)
        ? fail(session, step.code, step.requestId, step.field)
        : session
  }
}

/** True while requests or workers are under way. */
export function isWorking(session: Session): session is Extract<Session, { attempt: number }> {
  return session.state === 'loading' || session.state === 'solving'
}

function fail(session: Session, code: ErrorCode, requestId?: string, field?: string): Session {
  // With a field: no other intent could be had, which the visitor has to know.
  if (code === 'intent-expired' && !field) return { state: 'expired' }
  if (code === 'challenge-expired' && session.state === 'solving' && session.attempt < MAX_CHALLENGES) {
    return load(session.attempt + 1)
  }
  return { state: 'error', code, requestId, field }
}

function load(attempt: number): Session {
  return { state: 'loading', attempt, waiting: false }
}

function isWorthTelling(before: number, now: number): boolean {
  return now - before >= LEAST_PROGRESS || (now === 1 && before < 1)
}
