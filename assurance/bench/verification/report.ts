import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Ratios, Row } from './measure.ts'

/** The result of a run that is committed, with which each run is compared. */
export const COMMITTED = new URL('../results/verification.json', import.meta.url)

export type Result = {
  machine: string
  rows: Row[]
  ratios: Ratios[]
}

export const machine = (): string =>
  `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} CPUs, Node.js ${process.version}`

/** The same with numbers as short as they are exact. */
const rounded = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(3)) : value,
    ]),
  )

export const table = (rows: readonly object[]): void => console.table(rows.map(rounded))

/** Prints the ratios of this run beside those of the committed result: absolute figures of two machines say nothing. */
export function compare({ ratios }: Result): void {
  if (!existsSync(COMMITTED)) return
  const committed = JSON.parse(readFileSync(COMMITTED, 'utf8')) as Result
  console.log(`Compared with the committed result (${committed.machine}):`)
  table(
    ratios.flatMap(({ concurrency, flowToBare, siteverifyToBare }) => {
      const before = committed.ratios.find((each) => each.concurrency === concurrency)
      if (!before) return []
      return {
        concurrency,
        'flow / 4 bare': flowToBare,
        'committed flow': before.flowToBare,
        '/siteverify / bare': siteverifyToBare,
        'committed /siteverify': before.siteverifyToBare,
      }
    }),
  )
}

export function write(result: object, path: string): void {
  const text = JSON.stringify(
    result,
    (_name, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(4)) : value),
    2,
  )
  writeFileSync(path, `${text}\n`)
}
