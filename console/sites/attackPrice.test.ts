import { expect, test } from 'vitest'
import { ATTACK_PRICES, euros } from './attackPrice.ts'

test('the prices are those of docs/attack-price.md, in euros', () => {
  // $0.0041, $0.016, $0.044 and $6.2 at $1.15
  const prices = ATTACK_PRICES.ways.map(({ price }) => euros(price(1_048_576)))
  expect(prices).toEqual(['€0.0036', '€0.014', '€0.038', '€5.40'])
})

test('computing costs more in proportion to the work; addresses cost the same', () => {
  const ratios = ATTACK_PRICES.ways.map(({ price }) => price(6_291_456) / price(1_048_576))
  expect(ratios.map((ratio) => Math.round(ratio))).toEqual([6, 6, 6, 1])
})
