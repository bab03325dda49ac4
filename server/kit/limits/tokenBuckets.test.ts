import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TokenBuckets } from './tokenBuckets.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const pace = { rate: 2, burst: 4 }
const many = (buckets: TokenBuckets, key: string, n: number) => Array.from({ length: n }, () => buckets.take(key, pace))

test('a burst at once, then the rate, and the burst again after a pause; each key for itself', () => {
  const buckets = new TokenBuckets({ maxKeys: 10 })
  expect(many(buckets, 'a', 6)).toEqual([0, 0, 0, 0, 1, 1])
  expect(many(buckets, 'b', 1)).toEqual([0])
  vi.advanceTimersByTime(500)
  expect(many(buckets, 'a', 2)).toEqual([0, 1])
  vi.advanceTimersByTime(60_000)
  expect(many(buckets, 'a', 5)).toEqual([0, 0, 0, 0, 1])
})

test('above the cap the bucket that was not used for longest is dropped', () => {
  const buckets = new TokenBuckets({ maxKeys: 2 })
  many(buckets, 'busy', 4)
  many(buckets, 'idle', 4)
  many(buckets, 'busy', 1)
  many(buckets, 'new', 1)
  expect(many(buckets, 'busy', 1)).toEqual([1])
  expect(many(buckets, 'idle', 1)).toEqual([0])
})
