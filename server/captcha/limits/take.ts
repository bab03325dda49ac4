import type { Context } from '../../kit/context.ts'
import type { Limit } from './rules.ts'

/** The result of taking from limits; `retryAfter` in whole seconds, 0 if no limit was reached. */
export type Taken = {
  retryAfter: number
  /** Returns the points: all, or those of one rule. */
  giveBack(ruleName?: string): Promise<void>
}

/** Takes a point from each limit; if one has none left, returns those of the others. */
export async function takeAll(ctx: Context, limits: readonly Limit[]): Promise<Taken> {
  let taken: Limit[] = []
  const giveBack = async (ruleName?: string) => {
    const back = taken.filter(([{ name }]) => ruleName === undefined || name === ruleName)
    taken = taken.filter((limit) => !back.includes(limit))
    for (const [rule, key] of back) await ctx.limiter.giveBack(rule, key)
  }
  for (const limit of limits) {
    const retryAfter = await ctx.limiter.take(...limit)
    if (retryAfter > 0) {
      await giveBack()
      return { retryAfter, giveBack }
    }
    taken.push(limit)
  }
  return { retryAfter: 0, giveBack }
}
