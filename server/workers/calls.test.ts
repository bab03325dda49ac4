import { expect, onTestFinished, test, vi } from 'vitest'
import { Counts } from '../captcha/challenges/networks/counts.ts'
import { createLocalAttempts } from '../kit/attempts.ts'
import type { Weight } from '../kit/exchange.ts'
import { createLocalLimiter } from '../kit/limiter.ts'
import { answerCalls, createSharedByWorkers, type Shared, type ToPrimary } from './calls.ts'

/** Two workers of one primary, whose messages are serialised as between processes. */
function twoWorkers(held = new Counts({ exchange: undefined, now: () => 1000 })): {
  shared: Shared[]
  messages: () => number
} {
  const counts = {
    limiter: createLocalLimiter(),
    attempts: createLocalAttempts(),
    metrics: async () => '',
    add: (added: readonly Weight[]) => held.add(added),
  }
  let messages = 0
  const shared = [0, 1].map(() => {
    const worker = createSharedByWorkers((message) => {
      messages += 1
      const { id, calls } = JSON.parse(JSON.stringify(message)) as Extract<ToPrimary, { type: 'calls' }>
      void answerCalls(counts, calls).then((answers) =>
        worker.receive(JSON.parse(JSON.stringify({ type: 'answers', id, answers })) as never),
      )
    })
    return worker
  })
  return { shared, messages: () => messages }
}

test('two workers take from the same limit, and share one message per turn', async () => {
  const { shared, messages } = twoWorkers()
  const rule = { name: 'network', points: 10, duration: 60 }
  const takes = await Promise.all(
    shared.flatMap(({ limiter }) => Array.from({ length: 8 }, async () => limiter.take(rule, 'a'))),
  )
  expect(takes.filter((wait) => wait === 0)).toHaveLength(10)
  expect(Math.max(...takes)).toBe(60)
  expect(messages()).toBe(2)
  await shared[0]?.limiter.giveBack(rule, 'a')
  expect(await shared[1]?.limiter.take(rule, 'a')).toBe(0)
})

/** A limit with 4 points in advance. */
const large = { name: 'intents', points: 256, duration: 60 }

test('of a limit with many points, a worker has some in advance, for which it sends no message', async () => {
  const { shared, messages } = twoWorkers()
  const [one] = shared
  expect(await one?.limiter.take(large, 'a')).toBe(0)
  expect(messages()).toBe(1)
  // at once, without a promise
  for (let i = 0; i < 4; i++) expect(one?.limiter.take(large, 'a')).toBe(0)
  expect(messages()).toBe(1)
  expect(await one?.limiter.take(large, 'a')).toBe(0)
  expect(messages()).toBe(2)
})

test('two workers that take points in advance never allow more than the limit, and use all of it', async () => {
  const { shared } = twoWorkers()
  const waits: number[] = []
  // in bursts of different sizes, so that each worker has points in advance again and again
  for (let round = 0; round < 60; round++)
    for (const { limiter } of shared)
      waits.push(...(await Promise.all(Array.from({ length: round % 7 }, async () => limiter.take(large, 'a')))))
  expect(waits.length).toBeGreaterThan(300)
  expect(waits.filter((wait) => wait === 0)).toHaveLength(256)
  expect(Math.max(...waits)).toBe(60)
})

test('points that a worker does not use go back, and it can be given a point again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { shared } = twoWorkers()
  const [one, other] = shared
  expect(await one?.limiter.take(large, 'a')).toBe(0)
  await one?.limiter.giveBack(large, 'a')
  const all = () => Promise.all(Array.from({ length: 256 }, async () => other?.limiter.take(large, 'a')))
  // five are at the other worker
  expect((await all()).filter((wait) => wait === 0)).toHaveLength(251)
  vi.advanceTimersByTime(100)
  expect((await all()).filter((wait) => wait === 0)).toHaveLength(5)
})

test('wrong answers at one worker end the round at the other', async () => {
  const { shared } = twoWorkers()
  const [one, other] = shared.map(({ attempts }) => attempts)
  const rule = { name: 'wrong', points: 2, duration: 60 }
  expect(await one?.begin(rule, 'k', 0)).toEqual({ state: 'begun' })
  await one?.fail(rule, 'k')
  expect(await other?.round(rule, 'k')).toBe(1)
  expect(await other?.begin(rule, 'k', 0)).toEqual({ state: 'over' })
  expect(await other?.begin(rule, 'k', 1)).toEqual({ state: 'begun' })
  await other?.giveBack(rule, 'k')
  expect(await one?.begin(rule, 'k', 1)).toEqual({ state: 'begun' })
  expect(await other?.begin(rule, 'k', 1)).toMatchObject({ state: 'limited' })
})

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
