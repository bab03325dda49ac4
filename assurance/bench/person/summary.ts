import { median } from '../browser/serve.ts'
import type { Condition, Visit } from './visit.ts'

/** Seconds until the token on threads that are so many times slower, and milliseconds of the longest task of a page that responds. */
const GOAL = { rate: 6, token: 5, task: 50 }

/** What the visits of a condition have in common: medians, and where it says so the highest. */
export type Row = Condition & {
  visits: number
  /** Seconds from the navigation to the token, and from the start of the verification. */
  token: number
  verification: number
  slowestToken: number
  cpu: number
  progress: number
  /** Milliseconds; null: below 50, which browsers do not report. */
  longestTask: number | null
  longestOfAll: number | null
  /** Visits with a task of 50 ms or more. */
  withLongTask: number
  /** Of the longest task of all. */
  cause: string | null
}

export function summarize(condition: Condition, visits: readonly Visit[]): Row {
  const of = (read: (visit: Visit) => number) => median(visits.map(read))
  const long = visits.filter(({ longest }) => longest !== undefined)
  const [longest] = long.toSorted((a, b) => (b.longest ?? 0) - (a.longest ?? 0))
  return {
    ...condition,
    visits: visits.length,
    token: of(({ solved }) => solved) / 1000,
    verification: of(({ solved, ready }) => solved - ready) / 1000,
    slowestToken: Math.max(...visits.map(({ solved }) => solved)) / 1000,
    cpu: of(({ cpu }) => cpu),
    progress: of(({ progress }) => progress),
    longestTask: of((visit) => visit.longest ?? 0) || null,
    longestOfAll: longest?.longest ?? null,
    withLongTask: long.length,
    cause: longest?.cause ?? null,
  }
}

const atMost50 = (milliseconds: number | null) => milliseconds ?? `≤ ${GOAL.task}`

/** The same with headings, for a terminal. */
export const headed = (row: Row) => ({
  kind: row.kind,
  workers: row.workers,
  slower: `${row.rate}×`,
  tab: row.tab,
  caches: row.caches,
  'page to token s': row.token,
  'verification s': row.verification,
  'slowest s': row.slowestToken,
  'CPU s': row.cpu,
  'progress events': row.progress,
  'longest task ms': atMost50(row.longestTask),
  'of all visits': atMost50(row.longestOfAll),
  'visits with one': `${row.withLongTask} of ${row.visits}`,
})

export function compareWithGoals(rows: readonly Row[]): string[] {
  const due = rows.filter(({ rate }) => rate === GOAL.rate).map(({ token }) => token)
  const waits = `At ${GOAL.rate}× the slowest condition takes ${Math.max(...due).toFixed(1)} s (goal: ${GOAL.token} s).`
  const tasks = [...new Set(rows.map(({ rate }) => rate))].map((rate) => {
    const own = rows.filter((row) => row.rate === rate)
    const sum = (read: (row: Row) => number) => own.reduce((total, row) => total + read(row), 0)
    const longest = Math.max(...own.map(({ longestOfAll }) => longestOfAll ?? 0)) || 'none'
    return `At ${rate}×, ${sum(({ withLongTask }) => withLongTask)} of ${sum(({ visits }) => visits)} visits have a task of ${GOAL.task} ms or more (goal: none); the longest in ms: ${longest}.`
  })
  return due.length > 0 ? [waits, ...tasks] : tasks
}
