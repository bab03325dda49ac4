import { whole } from '../ui/text/format.ts'

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** `2026-11-01` as `November 2026`. Months are always in UTC. */
export const monthName = (month: string): string => MONTH.format(new Date(month))

/** The first day of the next month, as `1 December`. */
export function nextMonth(month: string): string {
  const date = new Date(month)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return DAY.format(date)
}

/** A number with its sign: `+5,000`, `−250`. */
export const signed = (units: number): string => (units < 0 ? `−${whole(-units)}` : `+${whole(units)}`)
