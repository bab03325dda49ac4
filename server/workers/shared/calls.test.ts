import { expect, test } from 'vitest'
import { twoWorkers } from '../../../test/support/twoWorkers.ts'
import { Counts } from '../../captcha/challenges/networks/counts.ts'

test('what two workers count of a network adds up', async () => {
  const { shared } = twoWorkers()
  const now = () => 1000
  const [one, other] = shared.map(({ exchange }) => new Counts({ exchange, now }))
  for (let i = 0; i < 20; i++) one?.of('network').count('loud', now())
  for (let i = 0; i < 10; i++) other?.of('network').count('loud', now())
  await one?.share()
  await other?.share()
  expect(other?.of('network').weight('loud', now())).toBe(30)
  one?.of('network').count('loud', now())
  await one?.share()
  expect(one?.of('network').weight('loud', now())).toBe(31)
})

test('a right solution that is sent to each worker, again and again, frees one place of its network, on both', async () => {
  const { shared } = twoWorkers()
  const now = () => 1000
  const [one, other] = shared.map(({ exchange }) => new Counts({ exchange, now }))
  if (!one || !other) throw new Error('no workers')
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
  const metrics = one?.metrics()
  const rule = { name: 'network', points: 2, duration: 60 }
  expect(await one?.limiter.take(rule, 'a')).toBe(0)
  fail(new Error('a worker did not answer'))
  await expect(metrics).rejects.toThrow('a worker did not answer')
})
