import { expect, test } from 'vitest'
import { doublingsOfNetwork, networksOf } from './tiers.ts'

test('the larger a network, the more it may do before it costs more', () => {
  for (const address of ['203.0.113.7', '2001:db8:1:1f2::9']) {
    const calm = networksOf(address).map((network) => network.calm)
    expect(calm).toEqual(calm.toSorted((a, b) => a - b))
    expect(calm.length).toBeGreaterThan(1)
  }
})

test('a network doubles from its threshold on, which rises with what all others do', () => {
  const [network] = networksOf('203.0.113.7')
  if (!network) throw new Error('no network')
  expect([48, 49, 97, 193, 10_000].map((weight) => doublingsOfNetwork(network, weight, weight))).toEqual([
    0, 1, 2, 3, 3,
  ])
  expect(doublingsOfNetwork(network, 193, 193 + 20_000)).toBe(1)
  expect(doublingsOfNetwork(network, 193, 193 + 40_000)).toBe(0)
})
