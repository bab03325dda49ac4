import { Failure } from '../failure.ts'
import type { Assign, StartWorker } from './pool.ts'

/**
 * `count` puzzles: for each i, find a nonce whose hash begins with a word below `target`. Without `span` the hash is
 * SHA-256(seed ‖ i ‖ nonce); with it HashWX, whose program changes after `span` expected hashes.
 */
export interface Puzzles {
  /** In hex: 16 bytes, for HashWX 32. */
  readonly seed: string
  readonly count: number
  readonly target: number
  readonly span?: number | undefined
}

export interface Solver {
  /** Downloads in advance what solving needs. */
  preload(): void
  /**
   * Resolves to one nonce per puzzle, in order. `onProgress` gets a ratio from 0 to 1 that never decreases. Calls run one
   * at a time; others wait. Rejects with a `Failure`, or with the signal's reason. The `Failure` for puzzles of HashWX can mean
   * that this device is too slow for them, which the first solved puzzle shows.
   */
  solve(puzzles: Puzzles, onProgress: (ratio: number) => void, signal: AbortSignal): Promise<Uint32Array>
}

export interface WorkerPool {
  /** How many workers to start at most. */
  readonly workers: number
  /** The ways to solve, in the order in which they are tried. Only the first has several workers. */
  readonly ways: readonly StartWorker[]
  readonly preload: () => void
}

/** Two, so that a worker that has found a nonce does not wait for a busy page to send the next puzzle. */
const TASKS_PER_WORKER = 2

interface PoolWorker {
  readonly assignTasks: () => void
  stop?: () => void
}

export function createSolver(pool: WorkerPool): Solver {
  let last: Promise<unknown> = Promise.resolve()
  return {
    preload: pool.preload,
    solve: (puzzles, onProgress, signal) => {
      const result = last.then(() => solveInPool(puzzles, pool, onProgress, signal))
      last = result.catch(() => undefined)
      return result
    },
  }
}

function solveInPool(
  { seed, count, target, span }: Puzzles,
  pool: WorkerPool,
  onProgress: (ratio: number) => void,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const nonces = new Uint32Array(count)
  /** For each puzzle the probability that the tries so far would have found its nonce; 1 once it is found. */
  const chances = new Float64Array(count)
  const unassigned = [...chances.keys()]
  const workers = new Set<PoolWorker>()
  const size = Math.min(pool.workers, count)
  let unsolved = count
  let way = 0
  let ready = 0

  return new Promise((resolve, reject) => {
    const end = () => {
      for (const worker of workers) worker.stop?.()
    }
    const fail = (error: unknown) => {
      end()
      reject(error)
    }
    const abort = () => fail(signal.reason)
    const add = (own: number) => {
      const assigned = new Set<number>()
      let assign: Assign | undefined
      const assignTasks = () => {
        if (!assign) return
        // Near the end each worker gets one task at a time, so that none has two while another has none.
        const limit = unassigned.length > workers.size ? TASKS_PER_WORKER : 1
        for (const index of unassigned.splice(0, Math.max(0, limit - assigned.size))) {
          assigned.add(index)
          assign({ index, seed, target, span })
        }
      }
      const worker: PoolWorker = { assignTasks }
      workers.add(worker)
      worker.stop = (pool.ways[own] as StartWorker)(!!span, {
        onReady: (assignTask) => {
          assign = assignTask
          ready += 1
          // The others only now, so that a policy that forbids workers is violated by one.
          if (own === 0) while (workers.size < size) add(own)
          assignTasks()
        },
        onSlow: () => {
          if (!ready) addNext()
        },
        onReport: (report) => {
          const { index } = report
          const found = report.kind === 'found'
          const chance = found ? 1 : 1 - Math.exp((-report.tries * target) / 2 ** 32)
          // A puzzle whose worker failed starts again from 0, but progress must not decrease.
          chances[index] = Math.max(chances[index] ?? 0, chance)
          if (found) {
            // Later, changing would waste more work than it saves. A hidden page is slow for other reasons.
            if (span && report.slow && unsolved === count && !document.hidden) return fail(new Failure('unsupported'))
            nonces[index] = report.nonce
            assigned.delete(index)
            unsolved -= 1
            assignTasks()
          }
          onProgress(unsolved === 0 ? 1 : chances.reduce((sum, each) => sum + each, 0) / count)
          if (unsolved > 0) return
          end()
          resolve(nonces)
        },
        onFailure: (error) => {
          workers.delete(worker)
          unassigned.push(...assigned)
          if (assign) ready -= 1
          for (const other of workers) other.assignTasks()
          if (!ready && (own === way || !workers.size)) addNext(error)
        },
      })
    }
    /** Goes on to the next way; if there is none, the last one has failed with `error` or is slow. */
    const addNext = (error?: Failure) => {
      if (pool.ways[way + 1]) {
        way += 1
        add(way)
      } else if (error) fail(error)
    }

    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    add(way)
  })
}
