/** A period in Unix seconds, `to` not included. */
export type Period = { from: number; to: number }

export const HOUR = 3600
export const DAY = 24 * HOUR

/** Charts of up to this long show hours, longer ones days. Hours are kept for twice as long: `forgetHours`. */
const HOURS_UP_TO = 8 * DAY

/** The period in whole steps of a chart: an hour or a UTC day, whichever gives a picture. */
export function inSteps({ from, to }: Period): Period & { step: number } {
  const step = to - from <= HOURS_UP_TO ? HOUR : DAY
  return { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step, step }
}

/** As long a time just before. */
export const before = ({ from, to }: Period): Period => ({ from: from - (to - from), to: from })
