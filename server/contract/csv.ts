/** The value of a cell; null and undefined are empty. */
export type Cell = string | number | boolean | null | undefined

/** The byte order mark, by which spreadsheets recognise UTF-8. */
export const BOM = '\ufeff'

/** Cells as a line of RFC 4180. A value that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`

/** What makes a spreadsheet read a cell as a formula, also as full-width characters, or after it skips white space. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

function written(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const tame = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}
