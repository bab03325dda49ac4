/** A period in Unix seconds, `to` not included. */
export type Period = { from: number; to: number }

export const HOUR = 3600
export const DAY = 24 * HOUR

/** Charts of up to this long show hours, longer ones days. */
const HOURS_UP_TO = 8 * DAY

/** So long, in seconds, hours are kept: for a chart of them and the time before it. Their days stay. */
export const HOURS_KEPT = 2 * HOURS_UP_TO

/**
 * The period in whole steps of a chart: an hour or a UTC day, whichever gives a picture. Where the hours of the period,
 * or of the same time before it, have been deleted, it uses days however short it is.
 */
export function inSteps({ from, to }: Period): Period & { step: number } {
  const kept = before({ from, to }).from >= Date.now() / 1000 - HOURS_KEPT
  const step = kept && to - from <= HOURS_UP_TO ? HOUR : DAY
  return { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step, step }
}

/** As long a time just before. */
export const before = ({ from, to }: Period): Period => ({ from: from - (to - from), to: from })
