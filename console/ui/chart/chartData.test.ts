import { expect, test } from 'vitest'
import { axisTicks, thinOut } from './chartData.ts'

test('an axis covers its greatest value in a few round steps', () => {
  expect(axisTicks(0)).toEqual([0, 1])
  expect(axisTicks(1)).toEqual([0, 0.5, 1])
  expect(axisTicks(7)).toEqual([0, 2, 4, 6, 8])
  expect(axisTicks(1840)).toEqual([0, 500, 1000, 1500, 2000])
  expect(axisTicks(0.37)).toEqual([0, 0.1, 0.2, 0.3, 0.4])
  for (const max of [3, 19, 240, 99_999]) expect(axisTicks(max).at(-1)).toBeGreaterThanOrEqual(max)
})

test('labels are thinned out evenly, and the last one stays', () => {
  expect(thinOut([1, 2, 3], 5)).toEqual([1, 2, 3])
  expect(thinOut([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([0, 3, 6])
  expect(thinOut([0, 1, 2, 3, 4, 5, 6, 7], 3)).toEqual([1, 4, 7])
})
