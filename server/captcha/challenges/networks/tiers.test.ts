import { expect, test } from 'vitest'
import { doublingsOfNetwork, mostUnsolved, networksOf } from './tiers.ts'

test('the larger a network, the more it may do before it costs more', () => {
  for (const address of ['203.0.113.7', '2001:db8:1:1f2::9']) {
    const calm = networksOf(address).map((network) => network.calm)
    expect(calm).toEqual(calm.toSorted((a, b) => a - b))
    expect(calm.length).toBeGreaterThan(1)
  }
})

const address = (text: string) => {
  const [network] = networksOf(text)
  if (!network) throw new Error('no network')
  return network
}

test('a network doubles from its threshold on, which rises with what all others do', () => {
  const network = address('203.0.113.7')
  const alone = (weight: number) => doublingsOfNetwork(network, { weight, all: weight, usual: 0 })
  expect([96, 97, 193, 385, 10_000].map(alone)).toEqual([0, 1, 2, 3, 3])
  const among = (others: number) => doublingsOfNetwork(network, { weight: 385, all: 385 + others, usual: 0 })
  expect([among(0), among(20_000), among(40_000)]).toEqual([3, 1, 0])
})

test('what is usual for a network raises its threshold threefold, and at most to twelve times its calm weight', () => {
  const network = address('203.0.113.7')
  const established = (weight: number, usual: number) => doublingsOfNetwork(network, { weight, all: weight, usual })
  expect([established(300, 0), established(300, 50), established(300, 100)]).toEqual([2, 1, 0])
  expect([established(1152, 10_000), established(1153, 10_000)]).toEqual([0, 1])
})

test('a network may have fewer unsolved challenges the busier it is, and few in attack mode', () => {
  const network = address('203.0.113.7')
  const most = (weight: number, isAttack = false) => mostUnsolved(network, { weight, all: weight, usual: 0 }, isAttack)
  expect([10, 97, 193, 385].map((weight) => most(weight))).toEqual([64, 64, 32, 16])
  expect([most(10, true), most(385, true)]).toEqual([3, 3])
  // one visit a second is usual: 3 a second that take 12 s each, and twice that
  expect(mostUnsolved(network, { weight: 173, all: 173, usual: 173 }, true)).toBeCloseTo(72, 0)
})
