import type { VisitorCtx } from '../../accounts/access.ts'
import { networkOf } from '../../kit/network.ts'
import { Refusal } from '../../kit/refusal.ts'
import { PER_NETWORK } from '../limits/rules.ts'

/** Counts a request of the visitor's network at this site. Throws `rate-limited`. */
export async function assertRate(ctx: VisitorCtx): Promise<void> {
  const retryAfter = await ctx.limiter.take(PER_NETWORK, `${ctx.site.id} ${networkOf(ctx.visitor.address)}`)
  if (retryAfter > 0) throw new Refusal('rate-limited', { retryAfter })
}
