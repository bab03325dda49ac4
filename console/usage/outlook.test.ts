import { expect, test } from 'vitest'
import { forecastRange, isRunningOut, outlook } from './outlook.ts'

const exactly = (units: number) => ({ likely: units, low: units, high: units })

test.each([
  [{ included: 100, used: 0, balance: 0, forecast: exactly(0) }, 'No units used this month yet'],
  [{ included: 100, used: 3, balance: 0, forecast: null }, 'after the first full day'],
  [{ included: 100, used: 50, balance: 0, forecast: exactly(80) }, '20 units will be left'],
  [{ included: 100, used: 50, balance: 0, forecast: { likely: 80, low: 60, high: 120 } }, 'may run out'],
  [{ included: 100, used: 50, balance: 0, forecast: exactly(100) }, '0 units will be left'],
  [{ included: 100, used: 50, balance: 30, forecast: exactly(130) }, '30 units will come from the balance'],
  [{ included: 100, used: 50, balance: 10, forecast: exactly(130) }, '20 verifications will be refused'],
  [{ included: 100, used: 100, balance: 7, forecast: exactly(200) }, '7 units left'],
  [{ included: 100, used: 100, balance: 0, forecast: exactly(200) }, 'quota-exceeded'],
  [{ included: 0, used: 0, balance: 0, forecast: null }, 'quota-exceeded'],
])('the outlook of %j contains "%s"', (meter, words) => {
  expect(outlook(meter)).toContain(words)
})

test.each([
  [{ included: 100, used: 0, balance: 0, forecast: null }, false],
  [{ included: 100, used: 50, balance: 0, forecast: exactly(100) }, false],
  [{ included: 100, used: 50, balance: 30, forecast: exactly(130) }, false],
  [{ included: 100, used: 50, balance: 29, forecast: exactly(130) }, true],
  [{ included: 100, used: 100, balance: 1, forecast: exactly(200) }, false],
  [{ included: 100, used: 100, balance: 0, forecast: exactly(200) }, true],
  [{ included: 0, used: 0, balance: 0, forecast: null }, true],
])('units run out with %j: %s', (meter, runsOut) => {
  expect(isRunningOut(meter)).toBe(runsOut)
})

test('a forecast is shown as a range, or as one number if it is exact', () => {
  expect(forecastRange({ likely: 5000, low: 4100, high: 5600 })).toBe('4,100–5,600')
  expect(forecastRange(exactly(70))).toBe('70')
})
