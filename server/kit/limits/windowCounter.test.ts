import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLocalLimiter } from './limiter.ts'
import { WindowCounter } from './windowCounter.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const MINUTE = 60_000

test('a key has its points once in a window, which begins with its first take', () => {
  const counter = new WindowCounter({ maxKeys: 10 })
  expect([counter.take('a', 2, MINUTE), counter.take('a', 2, MINUTE)]).toEqual([0, 0])
  vi.advanceTimersByTime(20_000)
  expect(counter.take('a', 2, MINUTE)).toBe(40_000)
  counter.giveBack('a')
  expect([counter.take('a', 2, MINUTE), counter.take('b', 2, MINUTE)]).toEqual([0, 0])
  vi.advanceTimersByTime(40_000)
  expect(counter.take('a', 2, MINUTE)).toBe(0)
})

test('above the cap the windows that began first are dropped, and no others', () => {
  const counter = new WindowCounter({ maxKeys: 4 })
  for (const key of ['a', 'b', 'c', 'd']) counter.take(key, 1, MINUTE)
  counter.take('e', 1, MINUTE)
  expect(['b', 'c', 'd', 'e'].map((key) => counter.take(key, 1, MINUTE))).toEqual([MINUTE, MINUTE, MINUTE, MINUTE])
  expect(counter.take('a', 1, MINUTE)).toBe(0)
})

test('a key that is used up is not dropped for calls of keys that are known', () => {
  const counter = new WindowCounter({ maxKeys: 100 })
  counter.take('used up', 1, MINUTE)
  for (let i = 0; i < 1000; i++) counter.take(`other ${i % 99}`, 10_000, MINUTE)
  expect(counter.take('used up', 1, MINUTE)).toBe(MINUTE)
})

test('any number of keys of one limit removes no key of another', async () => {
  vi.useRealTimers()
  const limiter = createLocalLimiter()
  const guesses = { name: 'secret', points: 1, duration: 600 }
  await limiter.take(guesses, 'attacker')
  const subjects = { name: 'subject', points: 20, duration: 600 }
  for (let i = 0; i < 150_000; i++) await limiter.take(subjects, `site ${i}`)
  expect(await limiter.take(guesses, 'attacker')).toBeGreaterThan(0)
})
