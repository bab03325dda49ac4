import { expect, test } from 'vitest'
import { forecast } from './forecast.ts'

test('gives no forecast before there is a complete day', () => {
  expect(forecast(5, [], 20)).toBeNull()
})

test('extrapolates constant usage with certainty', () => {
  expect(
    forecast(
      100,
      Array.from({ length: 20 }, () => 10),
      10,
    ),
  ).toEqual({ likely: 200, low: 200, high: 200 })
  expect(forecast(100, [10, 10, 10], 0)).toEqual({ likely: 100, low: 100, high: 100 })
  expect(forecast(100, [10, 10, 10], 0.5)?.likely).toBe(105)
})

test('uses weekdays once there were weekends', () => {
  // yesterday was the last of the array; of each week two days bring 100
  const days = Array.from({ length: 28 }, (_, index) => ((28 - index) % 7 < 2 ? 100 : 10))
  const left = 7
  expect(forecast(0, days, left)).toEqual({ likely: 250, low: 250, high: 250 })
  // today is like a week ago, tomorrow like six days ago
  expect(forecast(0, days, 1)?.likely).toBe(100)
  expect(forecast(0, days, 2)?.likely).toBe(110)
})

test('widens the range with more variance, fewer days of data and more days left', () => {
  const width = (days: number[], left: number) => {
    const { low, high } = forecast(0, days, left) ?? { low: 0, high: 0 }
    return high - low
  }
  const calm = [9, 11, 10, 9, 11, 10, 9, 11, 10, 10]
  const wild = [0, 20, 5, 15, 0, 20, 5, 15, 10, 10]
  expect(width(wild, 10)).toBeGreaterThan(width(calm, 10))
  expect(width(calm, 20)).toBeGreaterThan(width(calm, 5))
  expect(width(wild.slice(0, 4), 10)).toBeGreaterThan(width([...wild, ...wild], 10))
  expect(forecast(3, [10], 5)?.low).toBeGreaterThanOrEqual(3)
})

test('the range contains the result of about four in five of a thousand random months', () => {
  let seed = 7
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
  const day = () => Math.max(0, 100 + 25 * normal())
  let held = 0
  for (let month = 0; month < 1000; month++) {
    const past = Array.from({ length: 10 }, day)
    const rest = Array.from({ length: 20 }, day).reduce((sum, value) => sum + value, 0)
    const { low, high } = forecast(0, past, 20) ?? { low: 0, high: 0 }
    if (rest >= low && rest <= high) held += 1
  }
  expect(held).toBeGreaterThan(720)
  expect(held).toBeLessThan(880)
})
