import { expect, test } from 'vitest'
import { anomaliesOf } from './anomalies.ts'
import type { Health } from './health.ts'

const well: Health = {
  intents: 1100,
  redeemed: 1000,
  redeemedBefore: 1050,
  refused: 40,
  lastDecisionAt: 1_700_000_000,
  included: 100_000,
  used: 30_000,
  balance: 0,
  requested: null,
  incidents: 0,
}
const codes = (health: Partial<Health>) => anomaliesOf({ ...well, ...health }).map(({ code }) => code)

test('reports nothing for steady traffic', () => {
  expect(codes({})).toEqual([])
})

test('reports traffic below 30 % of last week’s, unless there was hardly any', () => {
  expect(codes({ redeemed: 300 })).toEqual(['traffic-fell'])
  expect(codes({ redeemed: 316 })).toEqual([])
  expect(codes({ redeemed: 1, redeemedBefore: 40 })).toEqual([])
})

test('reports more than 20 % refused, unless the number is small', () => {
  expect(codes({ refused: 530 })).toEqual(['refusals'])
  expect(codes({ refused: 520 })).toEqual([])
  expect(codes({ intents: 10, redeemed: 5, refused: 15, redeemedBefore: 0 })).toEqual([])
})

test('reports intents without any redemption', () => {
  expect(codes({ redeemed: 0, redeemedBefore: 0 })).toEqual(['no-siteverify'])
  expect(codes({ intents: 3, redeemed: 0, redeemedBefore: 0, refused: 0 })).toEqual([])
})

test('does not report a used-up quota while there is a balance', () => {
  expect(codes({ used: 100_000 })).toEqual(['quota-out'])
  expect(codes({ used: 100_000, balance: 1 })).toEqual([])
  expect(codes({ used: 91_000 })).toEqual(['quota-nearly'])
})

test('reports a nearly used quota only if the balance does not cover another tenth of it', () => {
  expect(codes({ used: 99_300, balance: 12_869 })).toEqual([])
  expect(codes({ used: 99_300, balance: 9000 })).toEqual(['quota-nearly'])
})

test('reports a request of the tenant and incidents before everything else', () => {
  expect(codes({ requested: 50_000, incidents: 1, used: 100_000 })).toEqual([
    'units-requested',
    'incident',
    'quota-out',
  ])
})
