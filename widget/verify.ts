import { type Call, type Challenge, type Client, RENEW, type Token } from './client.ts'
import { Failure } from './failure.ts'
import { advance, IDLE, type Session, type Step } from './session.ts'
import type { Solver } from './solver/solve.ts'
import { whenVisible, whileVisible } from './visible.ts'

/** A session with its side effects: it sends the requests and solves the puzzles that its state requires. */
export interface Verification {
  readonly session: () => Session
  readonly step: (step: Step) => void
  /** Compares expiry times with the clock: timers do not run during sleep or in the back/forward cache. */
  readonly checkExpiry: () => void
  /** True if the intent has expired and the next start needs a new one. */
  readonly needsIntent: () => boolean
}

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
  /** HashWX has failed in this browser. */
  let plain = false
  /** The current run uses a renewed intent. If that has expired too, renewing again would never end. */
  let renewed = false

  function step(next: Step): void {
    const before = session
    session = advance(before, next)
    const now = session
    if (now === before) return
    // Before `onChange`, which may start again immediately.
    if (now.state === 'idle' || now.state === 'solved') expired = renewed = false
    if (now.state === 'expired') expired = true
    onChange(now, before)
    // `onChange` may have changed the session, whose new state has then been current already.
    if (now === session && now.state !== before.state) enter(now)
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
    const next = await task({ signal, onWait: () => step({ type: 'waiting' }) }).catch(toStep)
    if (!signal.aborted) step(next)
  }

  async function load(call: Call): Promise<Step> {
    await whenVisible(call.signal)
    solver.preload()
    if (expired) {
      await renew(call)
      expired = false
      renewed = true
    }
    const reply = await connect().challenge(call, plain)
    return isToken(reply) ? { type: 'passed', token: reply } : { type: 'challenged', challenge: reply }
  }

  async function solve(challenge: Challenge, call: Call): Promise<Step> {
    const onProgress = (ratio: number) => step({ type: 'progress', ratio })
    const nonces = await whileVisible(call.signal, (signal) => solver.solve(challenge, onProgress, signal)).catch(
      (error: unknown) => {
        if (!challenge.span || call.signal.aborted) throw error
        // This browser compiles WebAssembly but could not run HashWX, so it asks for a challenge of the other kind.
        plain = true
        throw new Failure('challenge-expired')
      },
    )
    return { type: 'passed', token: await connect().solve(challenge, nonces, call) }
  }

  function checkExpiry(): void {
    clearTimeout(timer)
    const expiring = session.state === 'solved' ? session.token : session.state === 'solving' && session.challenge
    if (!expiring) return
    const left = expiring.expiresAt - Date.now()
    if (left <= 0) return step({ type: 'timeout' })
    timer = setTimeout(checkExpiry, left)
  }

  /** Any error other than a `Failure` means that the browser lacks a feature. */
  function toStep(error: unknown): Step {
    const { code, requestId, field } = error instanceof Failure ? error : new Failure('unsupported')
    expired ||= renewed && code === 'intent-expired'
    return { type: 'failed', code, requestId, field: expired ? RENEW : field }
  }

  return { session: () => session, step, checkExpiry, needsIntent: () => expired }
}

/** By own properties: a page can add `response` to `Object.prototype`. */
const isToken = (reply: Challenge | Token): reply is Token => Object.keys(reply).includes('response')
