import type { VisitorCtx } from '../../accounts/access.ts'
import { AppError } from '../../kit/error.ts'
import { networkLimits } from '../../kit/network.ts'
import { type Taken, takeAll } from '../../kit/takeAll.ts'
import { visitorLimits } from '../limits/rules.ts'
import type { Challenge } from './sealed.ts'

/** Counts a request from the visitor's network at this site. Throws `rate-limited`. */
export async function assertRate(ctx: VisitorCtx): Promise<Taken> {
  const taken = await takeAll(ctx, visitorLimits(ctx))
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
  const { site, visitor } = ctx
  const rule = { name: 'early', points: site.limits.perNetwork, duration: 60 }
  const early = await takeAll(ctx, networkLimits(rule, visitor.address, site.id))
  if (early.retryAfter === 0) await taken.giveBack()
  throw new AppError('rate-limited', { retryAfter })
}
