import { expect, test } from 'vitest'
import { thin, ticksTo } from './scale.ts'

test('an axis covers its greatest value in a few round steps', () => {
  expect(ticksTo(0)).toEqual([0, 1])
  expect(ticksTo(1)).toEqual([0, 0.5, 1])
  expect(ticksTo(7)).toEqual([0, 2, 4, 6, 8])
  expect(ticksTo(1840)).toEqual([0, 500, 1000, 1500, 2000])
  expect(ticksTo(0.37)).toEqual([0, 0.1, 0.2, 0.3, 0.4])
  for (const max of [3, 19, 240, 99_999]) expect(ticksTo(max).at(-1)).toBeGreaterThanOrEqual(max)
})

test('labels are thinned out evenly, and the last one stays', () => {
  expect(thin([1, 2, 3], 5)).toEqual([1, 2, 3])
  expect(thin([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([0, 3, 6])
  expect(thin([0, 1, 2, 3, 4, 5, 6, 7], 3)).toEqual([1, 4, 7])
})
