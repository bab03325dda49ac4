import type { Context } from '../../kit/context.ts'
import { countUsage, type UsageMeasure } from './count.ts'

type Feedback = { outcome: string; type: string }

/**
 * The facts by which a decision's feedback is counted. `at`: its redemption, in milliseconds. `solve`, `work`: buckets;
 * null if the challenge was skipped. `was`: the previous feedback; null if this is the first.
 */
export type FeedbackCount = {
  at: number
  action: string
  solve: number | null
  work: number | null
  was: Feedback | null
}

/**
 * Counts a decision's feedback in the hour of its redemption, so that it can be compared with the redemptions of
 * that hour. A correction subtracts the previous feedback.
 */
export function countFeedback(
  ctx: Pick<Context, 'resources'>,
  site: { id: string; tenantId: string },
  current: Feedback,
  { at, action, solve, work, was }: FeedbackCount,
): void {
  const count = (n: number, { outcome, type }: Feedback) => {
    const add = (measure: UsageMeasure, by: string | number) =>
      countUsage(ctx, site, { measure, label: `${outcome} ${by}`, at, n })
    add('feedback_type', type)
    add('feedback_action', action)
    if (solve !== null) add('feedback_solve_time', solve)
    if (work !== null) add('feedback_work', work)
  }
  if (was) count(-1, was)
  count(1, current)
}
