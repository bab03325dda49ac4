/** The expected units of a month at its end, and a range that contains the result with 80 % probability. */
export type Forecast = { likely: number; low: number; high: number }

/** Days of data used: four of each weekday. */
export const LOOK_BACK_DAYS = 28
/** With fewer days than this, a weekly rhythm cannot be distinguished from chance. */
const RHYTHM_DAYS = 14
/** A normally distributed value is within this many standard deviations with 80 % probability. */
const FOUR_IN_FIVE = 1.2816

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The units used so far plus those expected for the days left, by the weekdays of the last four weeks. Days vary around
 * their weekday's mean independently of each other, and a mean of few days is itself uncertain: both widen the range.
 *
 * `days`: units of complete days, from the tenant's first day or 28 days ago to yesterday. `left`: days
 * until the month's end, with the rest of today as a fraction. Null until there is one complete day.
 */
export function forecast(used: number, days: readonly number[], left: number): Forecast | null {
  const past = days.slice(-LOOK_BACK_DAYS)
  if (past.length === 0) return null
  // weekdays are counted back from today, which is 0
  const weekdayOf = (ago: number) => ago % 7
  const rhythm = past.length >= RHYTHM_DAYS
  const groupOf = (ago: number) =>
    past.filter((_, index) => !rhythm || weekdayOf(past.length - index) === weekdayOf(ago))
  const expected = past.map((_, index) => mean(groupOf(past.length - index)))
  const variance =
    past.length < 2
      ? past.reduce((sum, value) => sum + value, 0)
      : past.reduce((sum, value, index) => sum + (value - (expected[index] ?? 0)) ** 2, 0) / (past.length - 1)
  let more = 0
  for (let ahead = 0; ahead < left; ahead++) more += mean(groupOf((7 - (ahead % 7)) % 7)) * Math.min(1, left - ahead)
  const spread = FOUR_IN_FIVE * Math.sqrt(variance * left * (1 + left / past.length))
  const likely = used + more
  return {
    likely: Math.round(likely),
    low: Math.max(used, Math.round(likely - spread)),
    high: Math.round(likely + spread),
  }
}
