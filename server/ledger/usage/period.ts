/** A period in Unix seconds, `to` exclusive. */
export type Period = { from: number; to: number }

export const HOUR = 3600
export const DAY = 24 * HOUR

/** Charts of periods up to this length show hours, longer ones days. */
const HOURS_UP_TO = 8 * DAY

/** How long hourly counts are kept, in seconds: for a chart and the period before it. Daily counts are kept. */
export const HOURS_KEPT = 2 * HOURS_UP_TO

/**
 * The period in whole steps of a chart, an hour or a UTC day depending on its length. If the hours of the period,
 * or of the same time before it, have been deleted, days are used however short it is.
 */
export function inSteps({ from, to }: Period): Period & { step: number } {
  const kept = before({ from, to }).from >= Date.now() / 1000 - HOURS_KEPT
  const step = kept && to - from <= HOURS_UP_TO ? HOUR : DAY
  return { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step, step }
}

/** The period of equal length just before. */
export const before = ({ from, to }: Period): Period => ({ from: from - (to - from), to: from })
