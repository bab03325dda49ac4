import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

/** The cells of a line as a spreadsheet reads them whose separator is `separator`: quotes count only at a cell's start. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at <= line.length) {
    const quoted = /^"((?:[^"]|"")*)"[^]*?/.exec(line.slice(at))
    const end = quoted ? at + quoted[0].length : at
    const next = [line.indexOf(separator, end), line.indexOf('\n', end)].filter((place) => place >= 0)
    const stop = next.length === 0 ? line.length : Math.min(...next)
    cells.push((quoted ? (quoted[1] ?? '').replaceAll('""', '"') : '') + line.slice(end, stop))
    at = stop + 1
  }
  return cells
}

const SIGNS = ['=1+1', '+1', '-1', '@SUM(1)', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201']
const PLACES = ['', 'Shop', 'a b', 'Shop;', 'a;b; ', 'a;"', 'a;""', 'a\t', 'a\t "', 'a\n', 'a\r\n', ';', '\t']

test.each([',', ';', '\t'])('no cell begins a formula where the separator is %j', (separator) => {
  // a quote that is left in the cell makes it a text
  for (const before of PLACES)
    for (const sign of SIGNS)
      for (const cell of cellsOf(csvLine(['first', before + sign, 'last']), separator))
        expect(cell.trimStart()).not.toMatch(/^[=+\-@\uff1d\uff0b\uff0d\uff20]/)
})

test('numbers and texts without a formula are not changed', () => {
  expect(csvLine([-5, 1.5, true, null, 'a; b', 'x-1', 'a, "b"'])).toBe('-5,1.5,true,,"a; b",x-1,"a, ""b"""\r\n')
})
