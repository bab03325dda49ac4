import { AppError } from './error.ts'

/**
 * Runs costly work: `running` pieces at the same time, while `waiting` more wait for their turn, in their order. Beyond
 * that it throws the error `unavailable` at once.
 */
export class Slots {
  private readonly limits: { running: number; waiting: number }
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(limits: { running: number; waiting: number }) {
    this.limits = limits
  }

  async run<Out>(work: () => Promise<Out>): Promise<Out> {
    if (this.running >= this.limits.running) {
      if (this.waiting.length >= this.limits.waiting) throw new AppError('unavailable', { retryAfter: 2 })
      // who ends hands the place on, so it is counted as taken all the time
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    } else this.running += 1
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.running -= 1
    }
  }
}
