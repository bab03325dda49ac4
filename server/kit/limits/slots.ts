import { AppError } from '../error.ts'

/** How many pieces of costly work of a key run at the same time, and how many more may wait for their turn. */
export type SlotLimits = { running: number; waiting: number }

type Key = { running: number; waiting: (() => void)[] }

/** Runs costly work within limits, for each key: what waits gets its turn in its order. Keys that nothing runs for take no memory. */
export class Slots {
  readonly #keys = new Map<string, Key>()
  readonly #limits: SlotLimits

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Takes a slot of the key: at once if one is free, otherwise in its turn; false at once if too many wait. */
  take(key = ''): boolean | Promise<true> {
    const own = this.#keys.get(key) ?? { running: 0, waiting: [] }
    this.#keys.set(key, own)
    if (own.running < this.#limits.running) {
      own.running += 1
      return true
    }
    if (own.waiting.length >= this.#limits.waiting) return false
    // the slot goes to the next one without being free in between
    return new Promise((resolve) => own.waiting.push(() => resolve(true)))
  }

  giveBack(key = ''): void {
    const own = this.#keys.get(key)
    if (!own) return
    const next = own.waiting.shift()
    if (next) next()
    else if (--own.running === 0) this.#keys.delete(key)
  }

  /** Runs the work in a slot of the key. Throws the error `unavailable` at once if too many wait. */
  async run<Out>(work: () => Promise<Out>, key = ''): Promise<Out> {
    const taken = this.take(key)
    // work that need not wait starts in the same turn, as the batches of the verification path expect
    if (taken !== true && !(await taken)) throw new AppError('unavailable', { retryAfter: 2 })
    try {
      return await work()
    } finally {
      this.giveBack(key)
    }
  }
}
