/** What a month will have used at its end: most likely, and between which two with a chance of 4 in 5. Units. */
export type Forecast = { likely: number; low: number; high: number }

/** Days that are looked back upon: four of each weekday. */
export const LOOK_BACK_DAYS = 28
/** With fewer days than this, a weekly rhythm cannot be distinguished from chance. */
const RHYTHM_DAYS = 14
/** A normal value lies with a chance of 4 in 5 within so many standard deviations. */
const FOUR_IN_FIVE = 1.2816

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * What is used so far and what the days left will bring, by the weekdays of the last four weeks. Days scatter around
 * their weekday's mean independently of each other, and a mean of few days is itself uncertain: both widen the range.
 *
 * `days`: units of whole days past, oldest first, the last one yesterday; from the tenant's first day on. `left`: days
 * until the month's end, with the rest of today as part of a day. Null until there is one complete day.
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
