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
  vi.advanceTimersByTime(40_001)
  expect(counter.take('a', 2, MINUTE)).toBe(0)
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
