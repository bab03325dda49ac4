import type { Rule } from '../../kit/limits/limiter.ts'
import type { Counted } from '../../kit/limits/windowCounter.ts'

/** From the primary: hand over what is counted of the key. */
export type Collect = { type: 'collect'; id: number; rule: Rule; key: string }
/** The worker's answer. */
export type Handed = { type: 'handed'; id: number; counted: Counted }

/** What a worker that does not answer in this time has counted is added when it does; until then its share is allowed again. */
export const WAIT_MS = 1000

/** Passes on what each worker hands over, and resolves when all have answered or have had enough time. */
export type CollectCounts = (rule: Rule, key: string, add: (counted: Counted) => void) => Promise<void>

export type Collector = {
  collect: CollectCounts
  receive(worker: number, message: Handed): void
  /** No answer comes from a worker that has ended. */
  ended(worker: number): void
}

/** Collects counts from all workers. `send` sends them a message, and returns the numbers of those that can answer it. */
export function createCollector(send: (message: Collect) => number[]): Collector {
  const open = new Map<number, { workers: Set<number>; add: (counted: Counted) => void; resolve: () => void }>()
  let next = 0

  function answered(worker: number, id: number): void {
    const collection = open.get(id)
    if (!collection?.workers.delete(worker) || collection.workers.size > 0) return
    open.delete(id)
    collection.resolve()
  }

  return {
    async collect(rule, key, add) {
      const id = next++
      const workers = new Set(send({ type: 'collect', id, rule, key }))
      if (workers.size === 0) return
      await new Promise<void>((resolve) => {
        // answers that have arrived are read before the next turn, even if this process was busy for longer
        const timer = setTimeout(() => setImmediate(resolve), WAIT_MS)
        open.set(id, {
          workers,
          add,
          resolve() {
            clearTimeout(timer)
            resolve()
          },
        })
      })
    },
    receive(worker, { id, counted }) {
      open.get(id)?.add(counted)
      answered(worker, id)
    },
    ended(worker) {
      for (const id of Array.from(open.keys())) answered(worker, id)
    },
  }
}
