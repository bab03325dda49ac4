import { type Call, type Challenge, type Client, RENEW } from './client.ts'
import { Failure } from './failure.ts'
import { advance, IDLE, type Session, type Step } from './session.ts'
import { shown, whileShown } from './shown.ts'
import type { Solver } from './solver/solve.ts'

/** A session that acts: it makes the requests and has the puzzles solved that its state calls for. */
export interface Verification {
  readonly session: () => Session
  readonly step: (step: Step) => void
  /** Looks at the clock: timers stand still while a machine sleeps or a page lies in the back/forward cache. */
  readonly checkExpiry: () => void
  /** True if the intent has ended and the next start needs another one. */
  readonly isDue: () => boolean
}

/**
 * `connect` gives the client of the intent as it is now, `renew` takes another one; `onChange` gets every new session with
 * the one before.
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
  let due = false
  /** The intent was renewed for what is under way now: if that has ended too, asking again would go on for ever. */
  let renewed = false

  function step(next: Step): void {
    const before = session
    session = advance(before, next)
    const now = session
    if (now === before) return
    // Before anybody hears of it, who may start anew at once.
    if (now.state === 'idle' || now.state === 'solved') due = renewed = false
    if (now.state === 'expired') due = true
    onChange(now, before)
    // Whoever heard it may have moved the session on, which has then been entered already.
    if (now === session && now.state !== before.state) enter(now)
  }

  function enter(entered: Session): void {
    run.abort()
    run = new AbortController()
    if (entered.state === 'loading') void work(load)
    if (entered.state === 'solving') void work((call) => solve(entered.challenge, call))
    checkExpiry()
  }

  /** What comes of a run that has been left meanwhile is of no interest any more. */
  async function work(task: (call: Call) => Promise<Step>): Promise<void> {
    const { signal } = run
    const next = await task({ signal, onWait: () => step({ type: 'waiting' }) }).catch(toStep)
    if (!signal.aborted) step(next)
  }

  async function load(call: Call): Promise<Step> {
    await shown(call.signal)
    solver.warm()
    if (due) {
      await renew(call)
      due = false
      renewed = true
    }
    const reply = await connect().challenge(call)
    return reply.kind === 'token' ? { type: 'passed', token: reply } : { type: 'challenged', challenge: reply }
  }

  async function solve(challenge: Challenge, call: Call): Promise<Step> {
    const onProgress = (ratio: number) => step({ type: 'progress', ratio })
    const nonces = await whileShown(call.signal, (signal) => solver.solve(challenge, onProgress, signal))
    return { type: 'passed', token: await connect().solve(challenge, nonces, call) }
  }

  function checkExpiry(): void {
    clearTimeout(timer)
    const held = session.state === 'solved' ? session.token : session.state === 'solving' && session.challenge
    if (!held) return
    const left = held.until - Date.now()
    if (left <= 0) return step({ type: 'lapsed' })
    timer = setTimeout(checkExpiry, left)
  }

  /** What is not a `Failure` is a browser that lacks something. */
  function toStep(error: unknown): Step {
    const { code, requestId, field } = error instanceof Failure ? error : new Failure('unsupported')
    due ||= renewed && code === 'intent-expired'
    return { type: 'failed', code, requestId, field: due ? RENEW : field }
  }

  return { session: () => session, step, checkExpiry, isDue: () => due }
}
