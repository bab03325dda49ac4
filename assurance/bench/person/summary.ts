import { median } from '../verification/report.ts'
import type { Condition, Visit } from './visit.ts'

/** What the visits of a condition have in common: medians, and the slowest. */
export type Row = Condition & {
  visits: number
  /** Seconds from the navigation to the token, and from the start of the verification. */
  token: number
  verification: number
  slowestToken: number
  cpu: number
  /** Milliseconds; null: below 50, which browsers do not report. */
  longestTask: number | null
  /** Visits with a task of 50 ms or more. */
  withLongTask: number
}

export function summarize(condition: Condition, visits: readonly Visit[]): Row {
  const of = (read: (visit: Visit) => number) => median(visits.map(read))
  return {
    ...condition,
    visits: visits.length,
    token: of(({ solved }) => solved) / 1000,
    verification: of(({ solved, ready }) => solved - ready) / 1000,
    slowestToken: Math.max(...visits.map(({ solved }) => solved)) / 1000,
    cpu: of(({ cpu }) => cpu),
    longestTask: of((visit) => visit.longest ?? 0) || null,
    withLongTask: visits.filter(({ longest }) => longest !== undefined).length,
  }
}
