/** The value of a cell; null and undefined are empty. */
export type Cell = string | number | boolean | null | undefined

/** The byte order mark, by which spreadsheets recognise UTF-8. */
export const BOM = '\ufeff'

/** Cells as a line of RFC 4180. A part of a value that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`

/**
 * Where a formula would begin: at the start of a value, and after what ends a cell where lists are written with `;` or tabs,
 * as in most of Europe. There a quote in the middle of a cell does not hold its parts together. The sign of a formula can be
 * a full-width one, and spreadsheets skip white space and a quote before it.
 */
const FORMULA =
  /^(?=[\t\r\n]|[^\S\t\r\n]*[=+\-@\uff1d\uff0b\uff0d\uff20])|(?<=[;\t\r\n])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g

function written(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const tame = cell.replace(FORMULA, "'")
  return /[",;\t\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}
