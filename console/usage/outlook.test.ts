import { expect, test } from 'vitest'
import { outlook } from './outlook.ts'

test.each([
  [{ included: 100, used: 0, balance: 0, forecast: 0 }, 'Nothing is used yet'],
  [{ included: 100, used: 3, balance: 0, forecast: null }, 'too early'],
  [{ included: 100, used: 50, balance: 0, forecast: 80 }, '20 units will be left'],
  [{ included: 100, used: 50, balance: 0, forecast: 100 }, '0 units will be left'],
  [{ included: 100, used: 50, balance: 30, forecast: 130 }, '30 units will come from the balance'],
  [{ included: 100, used: 50, balance: 10, forecast: 130 }, '20 verifications will be refused'],
  [{ included: 100, used: 100, balance: 7, forecast: 200 }, '7 are left'],
  [{ included: 100, used: 100, balance: 0, forecast: 200 }, 'quota-exceeded'],
  [{ included: 0, used: 0, balance: 0, forecast: null }, 'quota-exceeded'],
])('%j reads "…%s…"', (meter, words) => {
  expect(outlook(meter)).toContain(words)
})
