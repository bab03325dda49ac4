import type { VisitorCtx } from '../../accounts/access.ts'
import { AppError } from '../../kit/error.ts'
import { networkLimits } from '../../kit/http/client.ts'
import { type Taken, takeAll } from '../../kit/limits/takeAll.ts'
import { isOwnId } from '../intents/id.ts'
import { junkOf, PER_INTENT } from '../limits/rules.ts'
import { IN_LINE } from './networks/line.ts'
import type { Challenge } from './sealed.ts'

function assertTaken(taken: Taken): Taken {
  if (taken.retryAfter > 0) throw new AppError('rate-limited', { retryAfter: taken.retryAfter })
  return taken
}

/**
 * Counts a request of the visitor's network at this site that yields nothing. A network that a list allows has no such limit. Throws
 * `rate-limited`.
 */
export const countJunk = async (ctx: VisitorCtx): Promise<Taken> =>
  assertTaken(
    await takeAll(
      ctx,
      ctx.visitor.listed?.verdict === 'allow' ? [] : networkLimits(junkOf(ctx), ctx.visitor.address, ctx.site.id),
    ),
  )

/** Counts a request about an intent that is known to exist: only its own visitor is limited by it. Throws `rate-limited`. */
export const countVisit = async (ctx: VisitorCtx, intentId: string): Promise<Taken> =>
  ctx.site.test ? countJunk(ctx) : assertTaken(await takeAll(ctx, [[PER_INTENT, intentId]]))

/**
 * Counts a request about an intent that has to be looked up: as junk, unless its id shows that this deployment made it. What was
 * taken is to be given back if the intent exists. Throws `rate-limited`.
 */
export const countLookUp = async (ctx: VisitorCtx, intentId: string): Promise<Taken | undefined> => {
  if (ctx.site.test || !isOwnId(ctx, ctx.site.sitekey, intentId)) return countJunk(ctx)
  await countVisit(ctx, intentId)
  return undefined
}

/** Throws `rate-limited` before the challenge's minimum age. */
export function assertAge(
  { clock }: VisitorCtx,
  { issuedAt, minAge, expiresAt }: Pick<Challenge, 'issuedAt' | 'minAge' | 'expiresAt'>,
): void {
  const now = clock.now()
  const retryAfter = Math.ceil((issuedAt + minAge * 1000 - now) / 1000)
  // the clock follows the database's and may be set back: without a minimum age there is nothing to compare
  if (minAge === 0 || retryAfter <= 0 || expiresAt <= now) return
  throw new AppError('rate-limited', { retryAfter, detail: IN_LINE })
}
