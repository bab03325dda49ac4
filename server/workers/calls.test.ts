import { describe, expect, test } from 'vitest'
import { describeAttempts } from '../../test/support/attempts.ts'
import { twoWorkers } from '../../test/support/twoWorkers.ts'
import { Counts } from '../captcha/challenges/networks/counts.ts'
import { createNodeBounds, type NodeBounds } from '../kit/limits/nodeBounds.ts'

describe('attempts of two workers', () => {
  const [one, two] = twoWorkers().shared
  describeAttempts(() => [one.attempts, two.attempts])
})

test.each([1, 3, 16, 200])('of a limit of %i, two workers take exactly so many together', async (points) => {
  const rule = { name: 'network', points, duration: 60 }
  const { shared } = twoWorkers()
  const take = async (i: number) => shared[i % 2 === 0 ? 0 : 1].limiter.take(rule, 'a')
  const waits = await Promise.all(Array.from({ length: 2 * points + 5 }, (_, i) => take(i)))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(points)
  expect(Math.max(...waits)).toBe(60)
  // a point of one worker is free for the other
  await shared[0].limiter.giveBack(rule, 'a')
  expect([await take(1), await take(0)]).toEqual([0, 60])
})

const SLOTS = { name: 'hash', running: 2, waiting: 2 }
const boundsOf = ({ shared: [one, two] }: ReturnType<typeof twoWorkers>): [NodeBounds, NodeBounds] => [
  one.bounds,
  two.bounds,
]
const inOne = (): [NodeBounds, NodeBounds] => {
  const bounds = createNodeBounds()
  return [bounds, bounds]
}

test.each([
  ['one process', inOne],
  ['two workers', () => boundsOf(twoWorkers())],
])('slots of a key in %s are taken together, in the order of asking, and each key has its own', async (_, start) => {
  const [one, two] = start()
  const taken: string[] = []
  const take = (name: string, bounds: NodeBounds) =>
    bounds.takeSlot(SLOTS, 'a').then((got) => {
      if (got) taken.push(name)
      return got
    })
  expect(await take('first', one)).toBe(true)
  expect(await take('second', two)).toBe(true)
  const third = take('third', one)
  const fourth = take('fourth', two)
  expect(await take('fifth', two)).toBe(false)
  expect(await two.takeSlot(SLOTS, 'b')).toBe(true)
  expect(taken).toEqual(['first', 'second'])
  one.giveSlotBack(SLOTS, 'a')
  await third
  two.giveSlotBack(SLOTS, 'a')
  await fourth
  expect(taken).toEqual(['first', 'second', 'third', 'fourth'])
})

test('the slots that a worker holds or waits for are freed when it ends', async () => {
  const workers = twoWorkers()
  const [one, two] = boundsOf(workers)
  expect(await one.takeSlot(SLOTS, 'a')).toBe(true)
  expect(await one.takeSlot(SLOTS, 'a')).toBe(true)
  void one.takeSlot(SLOTS, 'a')
  const waits = two.takeSlot(SLOTS, 'a')
  expect(await two.takeSlot(SLOTS, 'a')).toBe(false)
  workers.end(0)
  expect(await waits).toBe(true)
  expect(await two.takeSlot(SLOTS, 'a')).toBe(true)
})

test('what two workers count of a network adds up', async () => {
  const { shared } = twoWorkers()
  const now = () => 1000
  const [one, other] = [
    new Counts({ exchange: shared[0].exchange, now }),
    new Counts({ exchange: shared[1].exchange, now }),
  ]
  for (let i = 0; i < 20; i++) one.of('network').count('loud', now())
  for (let i = 0; i < 10; i++) other.of('network').count('loud', now())
  await one.share()
  await other.share()
  expect(other.of('network').weight('loud', now())).toBe(30)
  one.of('network').count('loud', now())
  await one.share()
  expect(one.of('network').weight('loud', now())).toBe(31)
})

test('a right solution that is sent to each worker, again and again, frees one place of its network, on both', async () => {
  const { shared } = twoWorkers()
  const now = () => 1000
  const [one, other] = [
    new Counts({ exchange: shared[0].exchange, now }),
    new Counts({ exchange: shared[1].exchange, now }),
  ]
  const share = async () => {
    for (const counts of [one, other, one]) {
      // a worker learns the totals of the networks that it counts
      counts.of('unsolved').count('office', now(), 0)
      await counts.share()
    }
  }
  const weights = () => [one, other].map((counts) => counts.of('unsolved').weight('office', now()))
  // each worker asked for some, so both know the network
  for (const counts of [one, other]) for (let i = 0; i < 5; i++) counts.of('unsolved').count('office', now())
  await share()
  expect(weights()).toEqual([10, 10])
  for (let repeat = 0; repeat < 3; repeat++) {
    for (const counts of [one, other]) counts.of('unsolved').credit('office', now(), 1, 'intent 1')
    await share()
  }
  expect(weights()).toEqual([9, 9])
  // one that was asked for at one worker and solved at the other
  other.of('unsolved').credit('office', now(), 1, 'intent 2')
  await share()
  expect(weights()).toEqual([8, 8])
})

test('a call that fails has an answer, and the others of its message do not wait for it', async () => {
  let fail = (_error: Error): void => {}
  const slow = new Promise<string>((_, reject) => (fail = reject))
  const [one] = twoWorkers(undefined, () => slow).shared
  const metrics = one.metrics()
  const rule = { name: 'network', points: 2, duration: 60 }
  expect(await one.limiter.take(rule, 'a')).toBe(0)
  fail(new Error('a worker did not answer'))
  await expect(metrics).rejects.toThrow('a worker did not answer')
})
