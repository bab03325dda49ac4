import { expect, test } from 'vitest'
import { fine, hashesWords, occurredAt, secondsWords, standsOut } from './words.ts'

const ranges = (edges: number[]) => edges.map((from, index) => ({ from, to: edges[index + 1] ?? null }))

test('ranges have units, and open ends in words', () => {
  expect(ranges([0, 0.5, 1, 2, 5, 10]).map(secondsWords)).toEqual([
    'under 0.5 s',
    '0.5–1 s',
    '1–2 s',
    '2–5 s',
    '5–10 s',
    '10 s or more',
  ])
  expect(ranges([0, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000]).map(hashesWords)).toEqual([
    'under 250 k',
    '250–500 k',
    '500 k – 1 M',
    '1–2 M',
    '2–4 M',
    '4 M or more',
  ])
})

test('a share of less than a percent keeps two digits', () => {
  expect([0, 0.0014, 0.0096, 0.012, 0.5].map(fine)).toEqual(['0%', '0.14%', '0.96%', '1.2%', '50%'])
})

test('the kind with the most abuse stands out, unless its reports are too few', () => {
  const kind = (words: string, confirmed_abuse: number, legitimate: number) => ({
    words,
    confirmed_abuse,
    legitimate,
    unknown: 0,
  })
  expect(standsOut([kind('order', 3, 27), kind('spam', 15, 5), kind('rare', 2, 0)])).toBe(
    'Most abuse: spam, 75% of 20.',
  )
  expect(standsOut([kind('order', 0, 30)])).toBe('No abuse among kinds with enough reports.')
  expect(standsOut([kind('order', 1, 0)])).toBe('1 report: too few to compare.')
  expect(standsOut([])).toBe('No reports.')
})

const AT = Date.UTC(2026, 10, 22, 6, 40, 30) / 1000

test('the minute of the redemption means the redemption, the minute before it does not', () => {
  expect(occurredAt('2026-11-22T06:40', 'utc', AT + 0.5, AT)).toBe(AT)
  expect(occurredAt('2026-11-22T06:39', 'utc', AT, AT)).toBe(AT - 90)
})
