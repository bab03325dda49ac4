import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

export const machine = (): string =>
  `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} CPUs, Node.js ${process.version}`

const rounded = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(3)) : value,
    ]),
  )

export const table = (rows: readonly object[]): void => console.table(rows.map(rounded))

/** The middle value; the mean of both middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** Writes a result as JSON with a line for each value, and for each record of a list. Numbers have four decimals. */
export function write(result: object, path: string): void {
  const json = (value: unknown) =>
    JSON.stringify(value, (_name, each: unknown) => (typeof each === 'number' ? Number(each.toFixed(4)) : each))
  const lines = Object.entries(result).map(([name, value]) => {
    const records = Array.isArray(value) ? `[\n${value.map((each) => `  ${json(each)}`).join(',\n')}\n]` : json(value)
    return `${json(name)}: ${records}`
  })
  writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`)
}
