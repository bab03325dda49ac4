import { type Call, type Challenge, type Client, RENEW, type Token } from './client.ts'
import { now as time } from './clock.ts'
import { Failure } from './failure.ts'
import { advance, IDLE, type Session, type Step } from './session.ts'
import type { Solver } from './solver/solve.ts'
import type { ErrorCode } from './types.ts'
import { whenVisible } from './visible.ts'

/** A session with its side effects: it sends the requests and solves the puzzles that its state requires. */
export interface Verification {
  readonly session: () => Session
  readonly step: (step: Step) => void
  /** Compares expiry times with the clock: timers do not run during sleep or in the back/forward cache. */
  readonly checkExpiry: () => void
  /** True if the intent has expired and the next start needs a new one. */
  readonly needsIntent: () => boolean
  /** True after an error that another try may not have. */
  readonly canRetry: () => boolean
  /** True if there was an error since the last token; while one is reported, if there was one before. */
  readonly hasFailed: () => boolean
}

const MAX_TRIES = 4
/** Of a run after an error, because a form may wait for it. */
const MAX_TRIES_AGAIN = 2
/** Errors whose cause can end without anybody's help. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['network', 'unavailable', 'internal-error', 'rate-limited'])

/** HashWX has failed in this browser or is slow on this device, which holds for all verifications of the page. */
let plain = false

/**
 * `connect` creates a client for the current intent, `renew` requests a new intent. `onChange` gets each new session and the
 * previous one.
 */
export function createVerification(
  solver: Solver,
  connect: () => Client,
  renew: (call: Call) => Promise<void>,
  onChange: (now: Session, before: Session) => void,
): Verification {
  let session: Session = IDLE
  let run = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let expired = false
  /** The current run has renewed the intent. If that has expired too, renewing again would never end. */
  let renewed = false
  let failed = false
  /** When the service may be asked again after an error. */
  let retryAt = 0

  function step(next: Step): void {
    const before = session
    session = advance(before, next)
    const now = session
    if (now === before) return
    // Before `onChange`, which may start again immediately.
    if (now.state === 'idle' || now.state === 'solved') expired = failed = false
    if (now.state === 'expired') expired = true
    onChange(now, before)
    // `onChange` may have changed the session, whose new state has then been current already.
    if (now !== session) return
    if (now.state === 'error') failed = true
    if (now.state !== before.state) enter(now)
  }

  function enter(current: Session): void {
    run.abort()
    run = new AbortController()
    if (current.state === 'loading') void execute(load)
    if (current.state === 'solving') void execute((call) => solve(current.challenge, call))
    checkExpiry()
  }

  /** The result of a run that has been aborted meanwhile is ignored. */
  async function execute(task: (call: Call) => Promise<Step>): Promise<void> {
    const { signal } = run
    const maxTries = failed ? MAX_TRIES_AGAIN : MAX_TRIES
    const next = await task({ signal, maxTries, onWait: () => step({ type: 'waiting' }) }).catch(toStep)
    if (!signal.aborted) step(next)
  }

  async function load(call: Call): Promise<Step> {
    await whenVisible(call.signal)
    solver.preload()
    renewed = expired
    if (expired) {
      await renew(call)
      expired = false
    }
    const reply = await connect().challenge(call, plain)
    return isToken(reply) ? { type: 'passed', token: reply } : { type: 'challenged', challenge: reply }
  }

  async function solve(challenge: Challenge, call: Call): Promise<Step> {
    const onProgress = (ratio: number) => step({ type: 'progress', ratio })
    const nonces = await solver.solve(challenge, onProgress, call.signal).catch((error: unknown) => {
      if (!challenge.span || call.signal.aborted) throw error
      // This browser compiles WebAssembly but could not run HashWX, or not fast enough, so it asks for the other kind.
      plain = true
      throw new Failure('challenge-expired')
    })
    return { type: 'passed', token: await connect().solve(challenge, nonces, call) }
  }

  function checkExpiry(): void {
    clearTimeout(timer)
    const expiring = session.state === 'solved' ? session.token : session.state === 'solving' && session.challenge
    if (!expiring) return
    const left = expiring.expiresAt - time()
    const expire = () => step({ type: 'timeout' })
    if (left <= 0) expire()
    // The end of the timer needs no look at the clock, which may have been set back.
    else timer = setTimeout(expire, left)
  }

  /** Any error other than a `Failure` means that the browser lacks a feature. */
  function toStep(error: unknown): Step {
    const { code, requestId, field, retryAfter = 0 } = error instanceof Failure ? error : new Failure('unsupported')
    expired ||= renewed && code === 'intent-expired'
    retryAt = time() + retryAfter
    return { type: 'failed', code, requestId, field: expired ? RENEW : field }
  }

  return {
    session: () => session,
    step,
    checkExpiry,
    needsIntent: () => expired,
    canRetry: () => session.state === 'error' && PASSING.has(session.code) && time() >= retryAt,
    hasFailed: () => failed,
  }
}

/** By own properties: a page can add `response` to `Object.prototype`. */
const isToken = (reply: Challenge | Token): reply is Token => Object.keys(reply).includes('response')
