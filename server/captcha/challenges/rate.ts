import type { VisitorCtx } from '../../accounts/access.ts'
import { AppError } from '../../kit/error.ts'
import { networkLimits } from '../../kit/network.ts'
import { type Taken, takeAll } from '../../kit/takeAll.ts'
import { visitorLimits } from '../limits/rules.ts'

/** Counts a request from the visitor's network at this site. Throws `rate-limited`. */
export async function assertRate(ctx: VisitorCtx): Promise<Taken> {
  const taken = await takeAll(ctx, visitorLimits(ctx))
  if (taken.retryAfter > 0) throw new AppError('rate-limited', { retryAfter: taken.retryAfter })
  return taken
}

/** Gives back what an early solution took, so that fast devices may visit as often as slow ones. Early ones have a limit of their own. */
export async function excuseEarly(ctx: VisitorCtx, taken: Taken): Promise<void> {
  const { site, visitor } = ctx
  const rule = { name: 'early', points: site.limits.perNetwork, duration: 60 }
  const early = await takeAll(ctx, networkLimits(rule, visitor.address, site.id))
  if (early.retryAfter === 0) await taken.giveBack()
}
