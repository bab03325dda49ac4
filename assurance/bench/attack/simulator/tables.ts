import { groupBy } from '../../../../server/ledger/usage/groupBy.ts'
import type { AttackerRow, PersonRow } from './measure.ts'
import type { SweepRow } from './sweep.ts'

/** Rows as a Markdown table, with the headings as keys. */
export function markdown(rows: readonly Record<string, string>[]): string {
  const [first] = rows
  if (!first) return ''
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const heads = Object.keys(first)
  return [line(heads), line(heads.map(() => '---')), ...rows.map((row) => line(Object.values(row)))].join('\n')
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
/** US dollars with two significant digits. */
export const dollars = (value: number): string => {
  if (!(value > 0)) return '$0'
  const digits = Math.max(0, 1 - Math.floor(Math.log10(value)))
  return `$${value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(Math.min(20, digits))}`
}

export const peopleTable = (rows: readonly PersonRow[]): string =>
  markdown(
    rows.map((row) => ({
      Mode: row.mode,
      Population: row.population,
      People: row.people,
      Visits: String(row.visits),
      'Slow phone waits, median': `${row.slowPhoneMedian.toFixed(1)} s`,
      p95: `${row.slowPhoneP95.toFixed(1)} s`,
      Refused: percent(row.refusedShare),
    })),
  )

export const attackerTable = (rows: readonly AttackerRow[]): string =>
  markdown(
    rows.map((row) => ({
      Mode: row.mode,
      Population: row.population,
      'Passes an hour': Math.round(row.passesPerHour).toLocaleString('en'),
      Refused: percent(row.refusedShare),
      Raise: `×${row.raise.toFixed(1)}`,
      'Raise at the end': `×${row.raiseAtEnd.toFixed(1)}`,
      Kind: row.kind,
      'Million passes: work': dollars(row.work),
      'Addresses or people': dollars(row.identity),
      Total: dollars(row.total),
    })),
  )

/** A line for each crowd and mode: the wait that 95 % with slow phones do not exceed, and the share refused, at each rate. */
export function sweepTable(rows: readonly SweepRow[]): string {
  const byCrowd = groupBy(rows, ({ mode, known, crowd }) => [mode, known ? 'known' : 'new', crowd].join(' | '))
  return markdown(
    [...byCrowd].map(([head, ofCrowd]) => {
      const [mode = '', known = '', crowd = ''] = head.split(' | ')
      const waits = ofCrowd.map(({ perMinute, slowPhoneP95 }) => [`${perMinute}/min`, `${slowPhoneP95.toFixed(1)} s`])
      const refused = Math.max(...ofCrowd.map(({ refusedShare }) => refusedShare))
      return {
        Mode: mode,
        Crowd: crowd,
        Network: known,
        ...Object.fromEntries(waits),
        'Refused, at most': percent(refused),
      }
    }),
  )
}
