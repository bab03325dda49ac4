import type { Amount } from '../../server/contract/unitPrice.ts'
import { whole } from '../ui/text/format.ts'
import { LOCALE } from '../ui/text/zone.ts'

const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** `2026-11-01` as `November 2026`. Months are always in UTC. */
export const monthName = (month: string): string => MONTH.format(new Date(month))

/** The first day of the next month, as `1 December`. */
export function nextMonth(month: string): string {
  const date = new Date(month)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return DAY.format(date)
}

/** A number with its sign: `+5,000`, `−250`. */
export const signed = (units: number): string =>
  units === 0 ? '0' : units < 0 ? `−${whole(-units)}` : `+${whole(units)}`

const FULL_DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' })

/** The first and last day of a month, given as `2026-11`: `1 – 30 November 2026 (UTC)`. */
export function periodWords(month: string): string {
  const [first, last] = [new Date(`${month}-01`), new Date(`${month}-01`)]
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  return `${FULL_DAY.formatRange(first, last)} (UTC)`
}

/** An amount of money: `€2.80`. */
export const money = ({ value, currency }: Amount): string =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).format(value)
