import type { Challenge, Token } from './client.ts'
import type { ErrorCode } from './types.ts'

/**
 * The state of one verification; docs/component-states.md has all states and events. `loading`: a challenge is being
 * requested. `solving`: it is being solved and then sent. `expired`: the intent has expired, so only a new intent can continue.
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
  | { readonly type: 'timeout' }
  | { readonly type: 'reset' }

/** A limit for devices that need longer than the lifetime of a challenge. */
const MAX_CHALLENGES = 3
/** Smaller changes cause no event and no repaint. */
const MIN_PROGRESS = 0.01

export const IDLE: Session = { state: 'idle' }

/** The session after `step`; the same object if the step has no effect in this state. */
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
      return session.state === 'solving' && isVisibleProgress(session.ratio, step.ratio)
        ? { ...session, ratio: step.ratio }
        : session
    case 'passed':
      return isWorking(session) ? { state: 'solved', token: step.token } : session
    case 'timeout':
      if (session.state === 'solved') return { state: 'expired' }
      return session.state === 'solving' ? fail(session, 'challenge-expired') : session
    case 'failed':
      return session.state === 'idle' || isWorking(session)
        ? fail(session, step.code, step.requestId, step.field)
        : session
  }
}

/** True while requests or workers are running. */
export function isWorking(session: Session): session is Extract<Session, { attempt: number }> {
  return session.state === 'loading' || session.state === 'solving'
}

function fail(session: Session, code: ErrorCode, requestId?: string, field?: string): Session {
  // With a field, the renewal has failed, which the visitor has to know.
  if (code === 'intent-expired' && !field) return { state: 'expired' }
  if (code === 'challenge-expired' && session.state === 'solving' && session.attempt < MAX_CHALLENGES) {
    return load(session.attempt + 1)
  }
  return { state: 'error', code, requestId, field }
}

function load(attempt: number): Session {
  return { state: 'loading', attempt, waiting: false }
}

function isVisibleProgress(before: number, now: number): boolean {
  return now - before >= MIN_PROGRESS || (now === 1 && before < 1)
}
