import { expect, test } from 'vitest'
import { fine, occurredAt, standsOut } from './words.ts'

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
  expect(standsOut([kind('order', 0, 30)])).toBe('None with enough reports stands out.')
  expect(standsOut([kind('order', 1, 0)])).toBe('1 report. A row is compared once it has 10.')
  expect(standsOut([])).toBe('No reports.')
})

const AT = Date.UTC(2026, 10, 22, 6, 40, 30) / 1000

test('the minute of the time that is corrected keeps its seconds', () => {
  expect(occurredAt('2026-11-22T06:41', 'utc', AT, AT + 71)).toBe(AT + 71)
  expect(occurredAt('2026-11-22T06:42', 'utc', AT, AT + 71)).toBe(AT + 90)
})

test('the minute of the redemption means the redemption, the minute before it does not', () => {
  expect(occurredAt('2026-11-22T06:40', 'utc', AT + 0.5, AT)).toBe(AT)
  expect(occurredAt('2026-11-22T06:39', 'utc', AT, AT)).toBe(AT - 90)
})
