import type { VisitorCtx } from '../../accounts/access.ts'
import { AppError } from '../../kit/error.ts'
import { visitorLimit } from '../limits/rules.ts'

/** Counts a request from the visitor's network at this site. Throws `rate-limited`. */
export async function assertRate(ctx: VisitorCtx): Promise<void> {
  const retryAfter = await ctx.limiter.take(...visitorLimit(ctx))
  if (retryAfter > 0) throw new AppError('rate-limited', { retryAfter })
}
