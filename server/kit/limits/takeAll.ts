import type { Context } from '../context.ts'
import type { Limit, Limiter } from './limiter.ts'

/** What was taken from limits; `retryAfter` in whole seconds, 0 if no limit was reached. */
export class Taken {
  readonly #limiter: Limiter
  #limits: readonly Limit[]
  readonly retryAfter: number

  constructor(limiter: Limiter, limits: readonly Limit[], retryAfter: number) {
    this.#limiter = limiter
    this.#limits = limits
    this.retryAfter = retryAfter
  }

  /** Gives the points back: all, or those of one rule. */
  async giveBack(ruleName?: string): Promise<void> {
    const back = ruleName === undefined ? this.#limits : this.#limits.filter(([{ name }]) => name === ruleName)
    if (back.length === 0) return
    this.#limits = ruleName === undefined ? [] : this.#limits.filter(([{ name }]) => name !== ruleName)
    await Promise.all(back.map(async (limit) => this.#limiter.giveBack(...limit)))
  }
}

/**
 * Takes a point of each limit; where one has none left, the others get theirs back. All are asked at the same time, so
 * that more limits take no longer where Redis counts them.
 */
export async function takeAll({ limiter }: Pick<Context, 'limiter'>, limits: readonly Limit[]): Promise<Taken> {
  const asked = limits.map(([rule, key]) => limiter.take(rule, key))
  // nothing is waited for where this process counts alone
  const waits = asked.every((wait) => typeof wait === 'number')
    ? asked
    : await Promise.all(asked.map(async (wait) => wait))
  const retryAfter = Math.max(0, ...waits)
  if (retryAfter === 0) return new Taken(limiter, limits, 0)
  const taken = limits.filter((_, i) => waits[i] === 0)
  await new Taken(limiter, taken, retryAfter).giveBack()
  return new Taken(limiter, [], retryAfter)
}
