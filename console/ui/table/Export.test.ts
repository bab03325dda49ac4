import { expect, test } from 'vitest'
import { toCsv } from './Export.tsx'

test('commas, quotes and line breaks stay in their cell', () => {
  expect(
    toCsv(
      ['a', 'b'],
      [
        ['x,y', 'say "hi"'],
        ['two\nlines', 3],
      ],
    ),
  ).toBe('a,b\r\n"x,y","say ""hi"""\r\n"two\nlines",3\r\n')
})

test('nothing in a cell is a formula to a spreadsheet, and numbers stay numbers', () => {
  expect(toCsv(['x'], [['=HYPERLINK("//evil")'], ['@cmd'], ['-1+1'], [-5]])).toBe(
    `x\r\n"'=HYPERLINK(""//evil"")"\r\n'@cmd\r\n'-1+1\r\n-5\r\n`,
  )
})

test.each(['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d', '\uff20'])(
  'a cell that begins with %j is text to a spreadsheet',
  (first) => {
    const cell = `'${first}1+1`
    expect(toCsv(['x'], [[`${first}1+1`]])).toBe(`x\r\n${/[\t\r\n]/.test(first) ? `"${cell}"` : cell}\r\n`)
  },
)
