import { expect, test } from 'vitest'
import { amountFor } from './unitPrice.ts'

test.each([
  ['0.50 EUR per 1,000', { value: 1, currency: 'EUR' }],
  [' 2 USD per 1000 units ', { value: 4, currency: 'USD' }],
  ['0.001 GBP per 1', { value: 2, currency: 'GBP' }],
])('2,000 units at %s', (price, amount) => {
  expect(amountFor(2000, price)).toEqual(amount)
})

test.each(['see your contract', '0,50 EUR per 1000', '1 EUR per 0', '1 euro per 1', '', undefined])(
  'no amount at the price %s',
  (price) => {
    expect(amountFor(2000, price)).toBeNull()
  },
)
