const WHOLE = new Intl.NumberFormat('en')
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** `128,402`. */
export const whole = (value: number): string => WHOLE.format(value)

/** `128.4K`. */
export const short = (value: number): string => SHORT.format(value)

/** A share from 0 to 1 as `91.4%`. */
export const percent = (share: number): string => PERCENT.format(share)

/** A number with its noun: `1 site`, `3 sites`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${whole(value)} ${value === 1 ? one : many}`

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A duration in seconds: `8 s`, `13 min`, `3 h 12 min`, `5 days`. Negative ones, from clocks that disagree, are `0 s`. */
export function elapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`
  if (whole < 2 * DAY) return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`
  return `${Math.floor(whole / DAY)} days`
}

/** The last eight characters of an id. Ids begin with their time, so their ends differ most. */
export const shortId = (id: string): string => `…${id.slice(-8)}`
