import type { Call, Challenge, Client } from './client.ts'
import { Failure } from './failure.ts'
import { advance, IDLE, type Session, type Step } from './session.ts'
import type { Solver } from './solver/solve.ts'

/** A session that acts: it makes the requests and has the puzzles solved that its state calls for. */
export interface Verification {
  readonly session: () => Session
  readonly step: (step: Step) => void
  /** Looks at the clock: timers stand still while a machine sleeps or a page lies in the back/forward cache. */
  readonly checkExpiry: () => void
}

/** `connect` gives the client of the permit as it is now; `onChange` hears every new session with the one before. */
export function createVerification(
  solver: Solver,
  connect: () => Client,
  onChange: (now: Session, before: Session) => void,
): Verification {
  let session: Session = IDLE
  let run = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  function step(next: Step): void {
    const before = session
    session = advance(before, next)
    if (session === before) return
    if (session.name !== before.name) enter(session)
    onChange(session, before)
  }

  function enter(entered: Session): void {
    run.abort()
    run = new AbortController()
    clearTimeout(timer)
    if (entered.name === 'loading') void work(load)
    if (entered.name === 'solving') void work((call) => solve(entered.challenge, call))
    checkExpiry()
  }

  /** What comes of a run that has been left meanwhile is of no interest any more. */
  async function work(task: (call: Call) => Promise<Step>): Promise<void> {
    const { signal } = run
    const next = await task({ signal, onWait: () => step({ type: 'waiting' }) }).catch(toStep)
    if (!signal.aborted) step(next)
  }

  async function load(call: Call): Promise<Step> {
    solver.warm()
    const reply = await connect().challenge(call)
    return 'response' in reply ? { type: 'passed', token: reply } : { type: 'challenged', challenge: reply }
  }

  async function solve(challenge: Challenge, call: Call): Promise<Step> {
    const nonces = await solver.solve(challenge, (ratio) => step({ type: 'progress', ratio }), call.signal)
    return { type: 'passed', token: await connect().solve(challenge, nonces, call) }
  }

  function checkExpiry(): void {
    if (session.name !== 'solved') return
    const left = session.token.until - Date.now()
    if (left <= 0) return step({ type: 'lapsed' })
    clearTimeout(timer)
    timer = setTimeout(checkExpiry, left)
  }

  return { session: () => session, step, checkExpiry }
}

/** What is not a `Failure` is a browser that lacks something. */
function toStep(error: unknown): Step {
  const { code, requestId } = error instanceof Failure ? error : new Failure('unsupported')
  return { type: 'failed', code, requestId }
}
