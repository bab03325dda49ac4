import { expect, test } from 'vitest'
import { attackPrices, dollars } from './attackPrice.ts'

const policy = { baseWork: 1_048_576, workMode: 'adaptive', challengeKind: 'auto' } as const
const usually = (prices: ReturnType<typeof attackPrices>) => prices.map((row) => dollars(row.usually))

test('the prices are those of docs/attack-price.md, in US dollars', () => {
  expect(usually(attackPrices(policy))).toEqual(['$0.0041', '$0.016', '$0.032', '$2.10'])
})

test('computing costs more in proportion to the work; addresses cost the same', () => {
  const ratios = attackPrices(policy).map(({ usually, most }) => most / usually)
  expect(ratios.map((ratio) => Math.round(ratio))).toEqual([18, 18, 6, 1])
})

test('a site that asks only for SHA-256 has no price of HashWX', () => {
  const prices = attackPrices({ ...policy, challengeKind: 'sha256' })
  expect(prices.map(({ way }) => way).filter((way) => way.startsWith('HashWX'))).toEqual([])
})

test('where HashWX is asked for, SHA-256 costs twelve times as much beyond the budget', () => {
  const low = { baseWork: 1024, workMode: 'fixed' } as const
  const gpu = (challengeKind: 'sha256' | 'auto' | 'hashwx') => {
    const [row] = attackPrices({ ...low, challengeKind })
    const base = attackPrices({ ...low, challengeKind: 'sha256' })[0]?.usually ?? Number.NaN
    return row && [Math.round(row.usually / base), Math.round(row.most / base)]
  }
  expect(gpu('sha256')).toEqual([1, 1])
  expect(gpu('auto')).toEqual([1, 12])
  expect(gpu('hashwx')).toEqual([12, 12])
})
