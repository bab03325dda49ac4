import type { VisitorCtx } from '../../accounts/access.ts'
import { AppError } from '../../kit/error.ts'
import type { Rule } from '../../kit/limiter.ts'
import { networkLimits } from '../../kit/network.ts'
import { type Taken, takeAll } from '../../kit/takeAll.ts'
import { perNetwork } from '../limits/rules.ts'
import { listOf } from './networks/lists.ts'
import type { Challenge } from './sealed.ts'

/** Takes from a limit of the visitor's network at this site. A network that a list allows has none. */
export const takeNetwork = async (ctx: VisitorCtx, rule: Rule): Promise<Taken> =>
  takeAll(ctx, listOf(ctx) === 'allow' ? [] : networkLimits(rule, ctx.visitor.address, ctx.site.id))

/** Counts a request from the visitor's network at this site. Throws `rate-limited`. */
export async function assertRate(ctx: VisitorCtx): Promise<Taken> {
  const taken = await takeNetwork(ctx, perNetwork(ctx))
  if (taken.retryAfter > 0) throw new AppError('rate-limited', { retryAfter: taken.retryAfter })
  return taken
}

/**
 * Throws `rate-limited` before the challenge's minimum age. What the request took from its limits is given back, so that fast
 * devices may visit as often as slow ones; early requests have a limit of their own.
 */
export async function assertAge(
  ctx: VisitorCtx,
  { issuedAt, minAge, expiresAt }: Pick<Challenge, 'issuedAt' | 'minAge' | 'expiresAt'>,
  taken: Taken,
): Promise<void> {
  const now = ctx.clock.now()
  const retryAfter = Math.ceil((issuedAt + minAge * 1000 - now) / 1000)
  // the clock follows the database's and may be set back: without a minimum age there is nothing to compare
  if (minAge === 0 || retryAfter <= 0 || expiresAt <= now) return
  const early = await takeNetwork(ctx, { name: 'early', points: ctx.site.limits.perNetwork, duration: 60 })
  if (early.retryAfter === 0) await taken.giveBack()
  throw new AppError('rate-limited', { retryAfter })
}
