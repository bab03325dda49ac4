import type { VisitorCtx } from '../../accounts/access.ts'
import { AppError } from '../../kit/error.ts'
import { takeAll } from '../../kit/takeAll.ts'
import { visitorLimits } from '../limits/rules.ts'

/** Counts a request from the visitor's network at this site. Throws `rate-limited`. */
export async function assertRate(ctx: VisitorCtx): Promise<void> {
  const { retryAfter } = await takeAll(ctx, visitorLimits(ctx))
  if (retryAfter > 0) throw new AppError('rate-limited', { retryAfter })
}
