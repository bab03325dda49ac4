import { expect, test } from 'vitest'
import { calendarDay, elapsed, percent, relative } from './format.ts'

test.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [3599, '59 min'],
  [3600, '1 h'],
  [3660, '1 h 1 min'],
  [11_520, '3 h 12 min'],
  [172_799, '47 h 59 min'],
  [172_800, '2 days'],
])('%d seconds read as %s', (seconds, text) => {
  expect(elapsed(seconds)).toBe(text)
})

test.each([
  [0, '0%'],
  [1e-9, '<0.1%'],
  [0.0004, '<0.1%'],
  [0.0005, '0.1%'],
  [0.914, '91.4%'],
  [1, '100%'],
])('a share of %d reads as %s', (share, text) => {
  expect(percent(share)).toBe(text)
})

test('a day is shown as people write it, whatever the zone', () => {
  expect(calendarDay('2026-11-01')).toBe('1 Nov 2026')
})

test('a clock that runs behind the server’s gives no negative time', () => {
  expect(elapsed(-3)).toBe('0 s')
})

const DAY = 86_400
/** 15:00 UTC of some day. */
const NOW = 20_000 * DAY + 15 * 3600
const clock = (at: number) => ({ day: Math.floor(at / DAY), time: new Date(at * 1000).toISOString().slice(11, 16) })

test.each([
  [-3, 'just now'],
  [0, 'just now'],
  [9, 'just now'],
  [10, '10 s ago'],
  [240, '4 min ago'],
  [3 * 3600 + 1300, '3 h ago'],
  [24 * 3600 + 3300, 'yesterday 14:05'],
  [36 * 3600, 'yesterday 03:00'],
  [3 * DAY, '3 days ago'],
])('%d seconds ago reads as %s', (seconds, text) => {
  expect(relative(NOW - Math.max(0, seconds), NOW, clock)).toBe(text)
})

test.each([
  [4, 'in 4 s'],
  [3600 * 24 - 1, 'in 24 h'],
  [72 * 3600 - 5, 'in 72 h'],
  [7 * DAY - 5, 'in 7 days'],
])('%d seconds ahead reads as %s', (seconds, text) => {
  expect(relative(NOW + seconds, NOW, clock)).toBe(text)
})
