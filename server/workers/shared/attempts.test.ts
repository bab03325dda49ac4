import { describe, expect, test } from 'vitest'
import { describeAttempts, newKey, RULE } from '../../../test/support/attempts.ts'
import { twoWorkers } from '../../../test/support/twoWorkers.ts'
import { createLocalAttempts } from '../../kit/limits/attempts.ts'
import { ExpiringKeys } from './expiringKeys.ts'

describe('by two workers', () => {
  const { shared } = twoWorkers()
  const [one, two] = shared.map(({ attempts }) => attempts)
  describeAttempts(() => [one ?? createLocalAttempts(), two ?? createLocalAttempts()])
})

test('a key without a wrong answer needs no message', async () => {
  const { shared, messages } = twoWorkers()
  const key = newKey()
  for (const { attempts } of [...shared, ...shared]) {
    expect(await attempts.round(RULE, key)).toBe(0)
    expect(await attempts.begin(RULE, key, 0)).toEqual({ state: 'begun' })
    await attempts.giveBack(RULE, key)
  }
  expect(messages()).toBe(0)
})

test('of fifty wrong answers at once, ten are verified and count, and no more after them', async () => {
  const { shared } = twoWorkers()
  const key = newKey()
  const answer = async (i: number, round: number) => {
    const attempts = shared[i % 2]?.attempts
    const begun = await attempts?.begin(RULE, key, round)
    if (begun?.state === 'begun') await attempts?.fail(RULE, key)
    return begun?.state
  }
  const states = await Promise.all(Array.from({ length: 50 }, (_, i) => answer(i, 0)))
  expect(states.filter((state) => state === 'begun')).toHaveLength(10)
  for (const { attempts } of shared) expect(await attempts.round(RULE, key)).toBe(10)
  expect(await answer(0, 10)).toBe('limited')
  expect(await answer(1, 10)).toBe('limited')
})

test('a key is forgotten after its time, and the oldest of a rule when there are too many', () => {
  const keys = new ExpiringKeys()
  keys.add('long', 'kept', 3600)
  keys.add('short', 'past', 0)
  expect(keys.has('short', 'past')).toBe(false)
  for (let i = 0; i <= 100_000; i++) keys.add('short', `k${i}`, 60)
  expect(['k0', 'k1'].map((key) => keys.has('short', key))).toEqual([false, true])
  expect(keys.has('long', 'kept')).toBe(true)
  expect(keys.all()).toHaveLength(100_001)
})
