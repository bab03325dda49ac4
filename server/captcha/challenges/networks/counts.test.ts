import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis, openRedis, type RedisProcess } from '../../../../test/support/redis.ts'
import { openSharedStore } from '../../../kit/limits/redis.ts'
import { createRedisExchange } from '../../../kit/limits/redisExchange.ts'
import { createLog } from '../../../kit/process/log.ts'
import { Counts } from './counts.ts'
import { DecayingCounter } from './decay.ts'

test('a counter gives each weight once, and takes totals with what was counted since', () => {
  const counter = new DecayingCounter({ halfLife: 1000, maxKeys: 2, sharedFrom: 2 })
  counter.count('quiet', 0)
  for (let i = 0; i < 4; i++) counter.count('loud', 0)
  expect(counter.take(1000, 10)).toEqual([{ key: 'loud', value: 2, age: 1000 }])
  expect(counter.take(1000, 10)).toEqual([])
  counter.count('loud', 1000)
  counter.merge({ key: 'loud', value: 12, age: 5000 }, 1000)
  expect(counter.weight('loud', 1000)).toBe(13)
  // a key that was shared is sent whatever is left of it
  counter.count('loud', 1000, -13)
  expect([counter.weight('loud', 1000), counter.take(1000, 10)]).toEqual([0, [{ key: 'loud', value: -12, age: 5000 }]])
})

test('a counter keeps the keys that were counted last, and no more than it may', () => {
  const counter = new DecayingCounter({ halfLife: 1e9, maxKeys: 100 })
  for (let i = 0; i < 1000; i++) {
    counter.count(`key-${i}`, 0)
    counter.count('busy', 0)
  }
  expect([counter.weight('busy', 0), counter.weight('key-999', 0), counter.weight('key-0', 0)]).toEqual([1000, 1, 0])
  const kept = counter.largest(1000, 0)
  expect([kept.length <= 100, new Set(kept.map(({ key }) => key)).size, kept[0]?.key]).toEqual([
    true,
    kept.length,
    'busy',
  ])
})

/** Weights decay while a test runs. */
function expectNear(weight: number, expected: number): void {
  expect(weight).toBeGreaterThan(0.8 * expected)
  expect(weight).toBeLessThan(1.01 * expected)
}

describe.skipIf(!hasRedis())('with Redis (skipped if there is no redis-server: apt-get install redis-server)', () => {
  let redis: RedisProcess
  const stores: ReturnType<typeof openSharedStore>[] = []
  beforeAll(async () => {
    redis = await openRedis()
    return () => redis.kill()
  })
  afterEach(() => {
    for (const store of stores.splice(0)) store.close()
  })

  /** A node whose clock is wrong by `offset`. */
  async function node(offset: number) {
    const store = openSharedStore(redis.url, createLog('silent'))
    stores.push(store)
    if (store.redis.status !== 'ready') await new Promise((resolve) => store.redis.once('ready', resolve))
    const counts = new Counts({ exchange: createRedisExchange(store), now: () => offset + performance.now() })
    const now = () => offset + performance.now()
    return {
      counts,
      store,
      count(key: string, times: number, kind: 'network' | 'unsolved' | 'siteUsual' = 'network', amount = 1) {
        for (let i = 0; i < times; i++) counts.of(kind).count(key, now(), amount)
      },
      weight: (key: string, kind: 'network' | 'unsolved' | 'siteUsual' = 'network') =>
        counts.of(kind).weight(key, now()),
    }
  }

  test('nodes with different clocks see what the others counted, and a new one sees the loud networks', async () => {
    const [one, two] = [await node(0), await node(86_400_000)]
    one.count('shared', 60)
    two.count('shared', 40)
    two.count('quiet', 1)
    await one.counts.share()
    await two.counts.share()
    await one.counts.share()
    expectNear(one.weight('shared'), 100)
    expectNear(two.weight('shared'), 100)
    const restarted = await node(-86_400_000)
    await restarted.counts.share()
    expectNear(restarted.weight('shared'), 100)
    expect([one.weight('quiet'), restarted.weight('quiet')]).toEqual([0, 0])
  })

  test('a solved challenge frees its place on every node', async () => {
    const [one, two] = [await node(0), await node(1000)]
    one.count('office', 10, 'unsolved')
    await one.counts.share()
    await two.counts.share()
    expectNear(two.weight('office', 'unsolved'), 10)
    two.count('office', 9, 'unsolved', -1)
    await two.counts.share()
    await one.counts.share()
    expectNear(one.weight('office', 'unsolved'), 1)
  })

  test('a right solution that is sent to each node frees one place of its network', async () => {
    const [one, two] = [await node(0), await node(1000)]
    for (const each of [one, two]) each.count('school', 5, 'unsolved')
    for (const { counts } of [one, two, one]) await counts.share()
    const credit = ({ counts }: typeof one, offset: number, intent: string) =>
      counts.of('unsolved').credit('school', offset + performance.now(), 1, intent)
    for (let repeat = 0; repeat < 3; repeat++) {
      credit(one, 0, 'intent 1')
      credit(two, 1000, 'intent 1')
      for (const { counts } of [one, two, one]) await counts.share()
    }
    expectNear(one.weight('school', 'unsolved'), 9)
    credit(two, 1000, 'intent 2')
    for (const { counts } of [two, one]) await counts.share()
    expectNear(one.weight('school', 'unsolved'), 8)
  })

  test('a batch that was sent twice is added once', async () => {
    const { store } = await node(0)
    const exchange = createRedisExchange(store)
    const added = [{ key: 'n-twice', value: 50, age: 0, halfLife: 1e9, loud: 1 }]
    await exchange.send(1, added)
    const totals = await exchange.send(1, added)
    expect(totals?.find(({ key }) => key === 'n-twice')?.value).toBeCloseTo(50, 3)
    const more = await exchange.send(2, added)
    expect(more?.find(({ key }) => key === 'n-twice')?.value).toBeCloseTo(100, 3)
  })

  test('what was counted while Redis was away is sent afterwards, even to an empty one', async () => {
    const [one, two] = [await node(0), await node(5000)]
    one.count('away', 30)
    await one.counts.share()
    await redis.kill()
    one.count('away', 30)
    two.count('away', 20)
    await one.counts.share()
    expectNear(one.weight('away'), 60)
    await redis.start()
    for (const { store } of [one, two])
      if (store.redis.status !== 'ready') await new Promise((resolve) => store.redis.once('ready', resolve))
    // a node may need some tries until it uses Redis again
    for (let tries = 0; tries < 200 && two.weight('away') < 30; tries++) {
      await one.counts.share()
      await two.counts.share()
      await sleep(20)
    }
    // what the first had sent before is lost with Redis, but not here
    expectNear(one.weight('away'), 60)
    expectNear(two.weight('away'), 50)
  })

  test('many keys are exchanged in several batches, and those of a site with their age', async () => {
    const [one, two] = [await node(0), await node(0)]
    for (let i = 0; i < 2500; i++) one.count(`many-${i}`, 15)
    one.count('site', 5, 'siteUsual')
    await one.counts.close()
    while (one.counts.of('network').isChanged) await one.counts.share()
    while (one.weight('many-2499') > two.weight('many-2499') + 1) await two.counts.share()
    expectNear(two.weight('many-0'), 15)
    while (two.weight('site', 'siteUsual') === 0) await two.counts.share()
    expectNear(two.weight('site', 'siteUsual'), 5)
  })
})
