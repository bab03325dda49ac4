import type { Context } from '../../kit/context.ts'
import { countUsage, type UsageMeasure } from './count.ts'

type Told = { outcome: string; type: string }

/**
 * By what a decision's feedback is counted. `at`: its redemption, in milliseconds. `solve`, `work`: buckets; null where
 * the challenge was skipped. `was`: what was said of it before; null for the first time.
 */
export type FeedbackCount = { at: number; action: string; solve: number | null; work: number | null; was: Told | null }

/**
 * Counts a decision's feedback in the hour of its redemption, so that it can be compared with the redemptions of
 * that hour. A correction takes away what was said before.
 */
export function countFeedback(
  ctx: Pick<Context, 'resources'>,
  site: { id: string; tenantId: string },
  told: Told,
  { at, action, solve, work, was }: FeedbackCount,
): void {
  const count = (n: number, { outcome, type }: Told) => {
    const add = (measure: UsageMeasure, by: string | number) =>
      countUsage(ctx, site, { measure, label: `${outcome} ${by}`, at, n })
    add('feedback_type', type)
    add('feedback_action', action)
    if (solve !== null) add('feedback_solve_time', solve)
    if (work !== null) add('feedback_work', work)
  }
  if (was) count(-1, was)
  count(1, told)
}
