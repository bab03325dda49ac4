import type { Context } from './context.ts'
import type { Limit } from './limiter.ts'

/** The result of taking from limits; `retryAfter` in whole seconds, 0 if no limit was reached. */
export type Taken = {
  retryAfter: number
  /** Gives the points back: all, or those of one rule. */
  giveBack(ruleName?: string): Promise<void>
}

/**
 * Takes a point of each limit; where one has none left, the others get theirs back. All are asked at the same time, so
 * that more limits take no longer where Redis counts them.
 */
export async function takeAll({ limiter }: Pick<Context, 'limiter'>, limits: readonly Limit[]): Promise<Taken> {
  const waits = await Promise.all(limits.map((limit) => limiter.take(...limit)))
  let taken = limits.filter((_, i) => waits[i] === 0)
  const giveBack = async (ruleName?: string) => {
    const back = taken.filter(([{ name }]) => ruleName === undefined || name === ruleName)
    taken = taken.filter((limit) => !back.includes(limit))
    await Promise.all(back.map((limit) => limiter.giveBack(...limit)))
  }
  const retryAfter = Math.max(0, ...waits)
  if (retryAfter > 0) await giveBack()
  return { retryAfter, giveBack }
}
