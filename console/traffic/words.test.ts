import { expect, test } from 'vitest'
import { basisOf, change, changeOfShare, compared, duration, funnel, hashes, shareOf, versus } from './words.ts'

test('a change is relative to the previous period, if there was traffic', () => {
  expect(change(106, 100)).toBe('+6%')
  expect(change(50, 100)).toBe('−50%')
  expect(change(780, 100)).toBe('×7.8')
  expect(change(100, 100)).toBe('no change')
  expect(change(3, 0)).toBe('no earlier data')
  expect(change(0, 0)).toBe('no change')
  expect(changeOfShare(0.84, 0.851)).toBe('−1.1 pt')
  expect(changeOfShare(0.5, null)).toBe('no earlier data')
})

test('names what a change is relative to only if there is a change to speak of', () => {
  expect(compared(change(106, 100), 'vs previous 7 days')).toBe('+6% vs previous 7 days')
  expect(compared(change(100, 100), 'vs previous 7 days')).toBe('no change vs previous 7 days')
  expect(compared(change(3, 0), 'vs previous 7 days')).toBe('no earlier data')
})

test('compares nothing with a period in which the traffic began', () => {
  const week = { from: 0, to: 7 * 86_400 }
  expect(compared(change(880, 100), basisOf(week, false))).toBe('no full earlier period')
  expect(compared(change(880, 100), basisOf(week, true))).toBe('×8.8 vs previous 7 days')
})

test.each([
  [3600, 'vs previous hour'],
  [86_400, 'vs previous 24 hours'],
  [7 * 86_400, 'vs previous 7 days'],
  [7 * 86_400 + 60, 'vs previous 7 days'],
  [30 * 86_400, 'vs previous 30 days'],
  [36 * 3600, 'vs previous 36 hours'],
])('a change over %d seconds is %s', (seconds, words) => {
  expect(versus({ from: 1_000_000, to: 1_000_000 + seconds })).toBe(words)
})

test('no step of the funnel has more than the one before it', () => {
  expect(funnel({ intents: 1585, challenged: 1560, solved: 1590, exempted: 20, redeemed: 1200 })).toEqual({
    started: 1610,
    challenged: 1610,
    solved: 1610,
    completed: 1200,
  })
})

test('times and difficulties have a unit and few digits', () => {
  expect([0.38, 0.9996, 1.44, 9.96, 14.4].map((seconds) => duration(seconds))).toEqual([
    '380 ms',
    '1.0 s',
    '1.4 s',
    '10 s',
    '14 s',
  ])
  expect([64_000, 1_048_576, 6_291_456].map((work) => hashes(work))).toEqual(['64 k', '1.05 M', '6.29 M'])
})

test('an axis has one unit, and its zero none', () => {
  expect([0, 500_000, 1_000_000].map((tick) => hashes(tick, 1_000_000))).toEqual(['0', '0.50 M', '1.00 M'])
  expect([0, 200_000].map((tick) => hashes(tick, 400_000))).toEqual(['0', '200 k'])
  expect([0, 0.5, 1].map((tick) => duration(tick, 1))).toEqual(['0', '0.5 s', '1.0 s'])
})

test('a share is at most 1, and null without a total', () => {
  expect(shareOf(5, 4)).toBe(1)
  expect(shareOf(1, 4)).toBe(0.25)
  expect(shareOf(0, 0)).toBeNull()
})
