import type { Failure } from '../failure.ts'
import type { Give, Hire } from './hire.ts'

/** `count` puzzles: for each i, a nonce whose SHA-256(seed ‖ i ‖ nonce) begins with a word below `target`. */
export interface Puzzles {
  /** 32 hex digits. */
  readonly seed: string
  readonly count: number
  readonly target: number
}

export interface Solver {
  /** Fetches ahead what solving will need. */
  warm(): void
  /**
   * One nonce per puzzle, in order. `onProgress` hears a ratio of 0 … 1 that never falls. One call is worked on at a
   * time; others wait for their turn. Rejects with a `Failure`, or with the signal's reason; another call with the
   * same object goes on where that one stopped.
   */
  solve(puzzles: Puzzles, onProgress: (ratio: number) => void, signal: AbortSignal): Promise<Uint32Array>
}

export interface Hiring {
  readonly workers: number
  readonly hireWorker: Hire
  /** Asked for only when no worker can be had. */
  readonly hireMainThread: Hire
  readonly fetchAhead: () => void
}

/** A hand that has found a nonce should not have to wait until a busy page gives it the next puzzle. */
const TASKS_AT_HAND = 2

/** What has been found of some puzzles. */
interface Findings {
  readonly nonces: Uint32Array
  /** For each puzzle the probability that as many tries as were made would have found its nonce; 1 once found. */
  readonly chances: Float64Array
}

export function createSolver(hiring: Hiring): Solver {
  const begun = new WeakMap<Puzzles, Findings>()
  let turn: Promise<unknown> = Promise.resolve()
  return {
    warm: hiring.fetchAhead,
    solve: (puzzles, onProgress, signal) => {
      const { count } = puzzles
      const findings = begun.get(puzzles) ?? { nonces: new Uint32Array(count), chances: new Float64Array(count) }
      begun.set(puzzles, findings)
      const result = turn.then(() => shareOut(puzzles, findings, hiring, onProgress, signal))
      turn = result.catch(() => undefined)
      return result
    },
  }
}

interface Hand {
  readonly feed: () => void
  readonly dismiss: () => void
}

function shareOut(
  { seed, count, target }: Puzzles,
  { nonces, chances }: Findings,
  hiring: Hiring,
  onProgress: (ratio: number) => void,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const open = [...chances.keys()].filter((index) => chances[index] !== 1)
  const hands = new Set<Hand>()
  let left = open.length

  return new Promise((resolve, reject) => {
    const end = () => {
      signal.removeEventListener('abort', abort)
      for (const hand of hands) hand.dismiss()
    }
    const giveUp = (why: unknown) => {
      end()
      reject(why)
    }
    const abort = () => giveUp(signal.reason)
    const engage = (hire: Hire, whenLost: (why: Failure) => void) => {
      const mine = new Set<number>()
      let give: Give | undefined
      const feed = () => {
        if (!give) return
        // The last ones go to whoever is free first: nobody keeps a second while others have none.
        const room = open.length > hands.size ? TASKS_AT_HAND : 1
        for (const index of open.splice(0, Math.max(0, room - mine.size))) {
          mine.add(index)
          give({ index, seed, target })
        }
      }
      const dismiss = hire({
        ready: (giveTask) => {
          give = giveTask
          feed()
        },
        report: (report) => {
          const found = report.kind === 'found'
          const chance = found ? 1 : 1 - Math.exp((-report.tries * target) / 2 ** 32)
          // A puzzle that was lost with its hand is begun anew, but progress must not fall.
          chances[report.index] = Math.max(chances[report.index] ?? 0, chance)
          if (found) {
            nonces[report.index] = report.nonce
            mine.delete(report.index)
            left -= 1
            feed()
          }
          onProgress(left === 0 ? 1 : chances.reduce((sum, chance) => sum + chance, 0) / count)
          if (left > 0) return
          end()
          resolve(nonces)
        },
        lost: (why) => {
          hands.delete(hand)
          open.push(...mine)
          for (const other of hands) other.feed()
          if (hands.size === 0) whenLost(why)
        },
      })
      const hand: Hand = { feed, dismiss }
      hands.add(hand)
    }

    if (left === 0) return resolve(nonces)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    const workers = Math.max(1, Math.min(hiring.workers, left))
    for (let i = 0; i < workers; i++) engage(hiring.hireWorker, () => engage(hiring.hireMainThread, giveUp))
  })
}
