import { expect, test } from 'vitest'
import { elapsed } from './format.ts'

test.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [3599, '59 min'],
  [3600, '1 h 0 min'],
  [11_520, '3 h 12 min'],
  [172_799, '47 h 59 min'],
  [172_800, '2 days'],
])('%d seconds read as %s', (seconds, text) => {
  expect(elapsed(seconds)).toBe(text)
})

test('a clock that runs behind the server’s gives no negative time', () => {
  expect(elapsed(-3)).toBe('0 s')
})
