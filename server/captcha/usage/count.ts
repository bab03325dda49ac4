import type { SiteFacts } from '../../accounts/sites/facts.ts'
import type { Context, Resource } from '../../kit/context.ts'
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

/** Longer than an intent's lifetime. */
const REMEMBERED_MS = 310_000
const MAX_INTENTS = 100_000

/**
 * Whether this is the first time for an intent, in this process and for the lifetime of an intent. Kept in two
 * generations, so that memory is bounded. Later, or on another node, a second challenge is counted again.
 */
class FirstTimes {
  private young = new Set<string>()
  private old = new Set<string>()
  private turned = performance.now()

  isFirst(intentId: string): boolean {
    if (this.young.size >= MAX_INTENTS || performance.now() - this.turned > REMEMBERED_MS) {
      this.old = this.young
      this.young = new Set()
      this.turned = performance.now()
    }
    if (this.young.has(intentId) || this.old.has(intentId)) return false
    this.young.add(intentId)
    return true
  }
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
