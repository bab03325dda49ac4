import { LOCALE } from './zone.ts'

const WHOLE = new Intl.NumberFormat(LOCALE)
const SHORT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })

const CALENDAR_DAY = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A day such as `2026-11-22` as `22 Nov 2026`. */
export const calendarDay = (day: string): string => CALENDAR_DAY.format(new Date(`${day}T00:00:00Z`))

/** `128,402`. */
export const whole = (value: number): string => WHOLE.format(value)

/** `128.4K`. */
export const short = (value: number): string => SHORT.format(value)

/** What a share is rounded to: a tenth of a percent. */
const LEAST_SHARE = 0.001

/** A share from 0 to 1 as `91.4%`. What is not zero is not rounded to it: `<0.1%`. */
export const percent = (share: number): string =>
  share > 0 && share < LEAST_SHARE / 2 ? `<${PERCENT.format(LEAST_SHARE)}` : PERCENT.format(share)

/** A number with its noun: `1 site`, `3 sites`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${whole(value)} ${value === 1 ? one : many}`

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A duration in seconds: `8 s`, `13 min`, `2 h`, `3 h 12 min`, `5 days`. Negative ones, from clocks that disagree, are `0 s`. */
export function elapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`
  const minutes = Math.floor((whole % HOUR) / MINUTE)
  if (whole < 2 * DAY) return `${Math.floor(whole / HOUR)} h${minutes > 0 ? ` ${minutes} min` : ''}`
  return `${Math.floor(whole / DAY)} days`
}

/**
 * A time relative to now as people say it; both in Unix seconds: `just now`, `4 min ago`, `3 h ago`, `yesterday 14:05`,
 * `5 days ago`, `in 72 h`. `clock`: the time of day in words. Times to come are rounded up, so that what holds for three days says so.
 */
export function relative(at: number, now: number, clock: (at: number) => { day: number; time: string }): string {
  const ahead = at - now
  if (ahead > 1) {
    if (ahead < MINUTE) return `in ${Math.ceil(ahead)} s`
    if (ahead < HOUR) return `in ${Math.ceil(ahead / MINUTE)} min`
    if (ahead <= 3 * DAY + MINUTE) return `in ${Math.ceil((ahead - MINUTE) / HOUR)} h`
    return `in ${Math.ceil((ahead - HOUR) / DAY)} days`
  }
  const ago = Math.max(0, -ahead)
  if (ago < 10) return 'just now'
  if (ago < HOUR) return `${elapsed(ago)} ago`
  const days = clock(now).day - clock(at).day
  if (days === 0 || ago < 6 * HOUR) return `${Math.floor(ago / HOUR)} h ago`
  return days === 1 ? `yesterday ${clock(at).time}` : `${days} days ago`
}

/** The form in which texts are compared in a search: without case, and composed, as another keyboard may not type it. */
export const searchable = (text: string): string => text.normalize().toLowerCase()

/** The last eight characters of an id. Ids begin with their time, so their ends differ most. */
export const shortId = (id: string): string => `…${id.slice(-8)}`
