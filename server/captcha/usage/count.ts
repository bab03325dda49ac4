import type { SiteFacts } from '../../accounts/sites/facts.ts'
import type { Context, Resource } from '../../kit/context.ts'
import { FirstTimes } from '../../kit/limits/firstTimes.ts'
import { bucketOf } from '../../ledger/usage/buckets.ts'
import { type Count, countUsage } from '../../ledger/usage/count.ts'
import type { Solve } from '../tokens/token.ts'

type Ctx = Context & { readonly site: SiteFacts }

/** Adds to a count of the site. Nothing is counted for test keys. */
export function count(ctx: Ctx, counted: Count): void {
  if (ctx.site.test === undefined) countUsage(ctx, ctx.site, counted)
}

/** Counts a redemption: what was charged, and the solve time and difficulty of its challenge. `at`: milliseconds. */
export function countRedemption(ctx: Ctx, paid: 'quota' | 'balance', solve: Solve | null, at: number): void {
  count(ctx, { measure: 'redeemed', label: paid, at })
  if (!solve) return
  const device = solve.mobile ? 'mobile' : 'desktop'
  count(ctx, { measure: 'solve_time', label: `${device} ${bucketOf(solve.solvedAt - solve.challengedAt)}`, at })
  count(ctx, { measure: 'work', label: `${bucketOf(solve.work)}`, at })
}

type Steps = Record<'challenged' | 'solved' | 'exempted', FirstTimes>
const STEPS: Resource<Steps> = {
  name: 'first steps',
  make: () => ({ challenged: new FirstTimes(), solved: new FirstTimes(), exempted: new FirstTimes() }),
}

/**
 * Counts that an intent reached the step: once per intent, however many challenges its visitor requests. Returns whether it
 * was counted.
 */
export function countStep(ctx: Ctx, step: keyof Steps, intentId: string): boolean {
  if (ctx.site.test !== undefined || !ctx.resources.of(STEPS)[step].isFirst(intentId)) return false
  count(ctx, { measure: step, at: ctx.clock.now() })
  return true
}
