/** A cell as RFC 4180 has it. What a spreadsheet would run as a formula gets an apostrophe before it. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const tame = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}

/** Head and rows as CSV. */
export const toCsv = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Hands the text to the browser as a file to keep. */
export function saveCsv(name: string, csv: string): void {
  // the mark tells spreadsheets that this is UTF-8
  const url = URL.createObjectURL(new Blob(['\ufeff', csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
