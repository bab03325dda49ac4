import { BOM, type Cell, csvLine } from '../../../server/contract/csv.ts'

/** Head and rows as CSV. */
export const toCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map(csvLine).join('')

/** Hands the text to the browser as a file to keep. */
export function saveCsv(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob([BOM, csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
