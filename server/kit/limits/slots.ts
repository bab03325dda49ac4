import { AppError } from '../error.ts'

/** How many pieces of costly work run at the same time, and how many more may wait for their turn. */
export type SlotLimits = { running: number; waiting: number }

/** Runs costly work within limits: those that wait get their turn in their order. */
export class Slots {
  private running = 0
  private readonly waiting: (() => void)[] = []
  private readonly limits: SlotLimits

  constructor(limits: SlotLimits) {
    this.limits = limits
  }

  /** Takes a slot: at once if one is free, otherwise in its turn; false at once if too many wait. */
  take(): boolean | Promise<true> {
    if (this.running < this.limits.running) {
      this.running += 1
      return true
    }
    if (this.waiting.length >= this.limits.waiting) return false
    // the slot goes to the next one without being free in between
    return new Promise((resolve) => this.waiting.push(() => resolve(true)))
  }

  giveBack(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.running -= 1
  }

  get isFree(): boolean {
    return this.running === 0
  }

  /** Runs the work in a slot. Throws the error `unavailable` at once if too many wait. */
  async run<Out>(work: () => Promise<Out>): Promise<Out> {
    const taken = this.take()
    // work that need not wait starts in the same turn, as the batches of the verification path expect
    if (taken !== true && !(await taken)) throw new AppError('unavailable', { retryAfter: 2 })
    try {
      return await work()
    } finally {
      this.giveBack()
    }
  }
}
