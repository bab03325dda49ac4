import { expect, test } from 'vitest'
import { ClientAddress } from '../../../kit/http/client.ts'
import { MAX_WORK } from '../difficulty/work.ts'
import { doublingsOfNetwork, networksOfKeys, roomOf, networksOf as tiersOf } from './tiers.ts'

const networksOf = (text: string, provider?: string) => tiersOf(new ClientAddress(text), provider)

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
  expect([192, 193, 385, 769, 10_000].map(alone)).toEqual([0, 1, 2, 3, 3])
  const among = (others: number) => doublingsOfNetwork(network, { weight: 769, all: 769 + others, usual: 0 })
  expect([among(0), among(40_000), among(80_000)]).toEqual([3, 1, 0])
})

test('what is usual for a network raises its threshold threefold, and at most to twelve times its calm weight', () => {
  const network = address('203.0.113.7')
  const established = (weight: number, usual: number) => doublingsOfNetwork(network, { weight, all: weight, usual })
  expect([established(600, 0), established(600, 100), established(600, 200)]).toEqual([2, 1, 0])
  expect([established(2304, 10_000), established(2305, 10_000)]).toEqual([0, 1])
})

test('a network may have unsolved challenges for five visits a second, and more if more are usual for it or each takes longer', () => {
  const network = address('203.0.113.7')
  const room = (usual: number, work = MAX_WORK) => roomOf(network, { weight: 10, all: 10, usual }, work)
  expect(room(0)).toEqual({ slots: 64, perSecond: 64 / 12 })
  expect(room(0, 3 * MAX_WORK)).toEqual({ slots: 192, perSecond: 64 / 12 })
  // three visits a second are usual: nine that take 12 s each, and twice that
  const { slots, perSecond } = room(3 * 173)
  expect([Math.round(slots), Math.round(perSecond)]).toEqual([216, 18])
})

test('the networks of an address are known again from their keys, that of a hosting provider too', () => {
  for (const address of ['203.0.113.7', '2001:db8:1:1f2::9'])
    for (const provider of [undefined, 'some-provider']) {
      const networks = networksOf(address, provider)
      expect(networksOfKeys(networks.map(({ key }) => key))).toEqual(networks)
    }
})
