import { expect, test } from 'vitest'
import { Cache } from './cache.ts'

/** Look-ups that the test answers. */
function finds() {
  const answers: ((value: string) => void)[] = []
  const find = () => new Promise<{ value: string }>((resolve) => answers.push((value) => resolve({ value })))
  return { find, answers }
}

test('concurrent misses share one look-up', async () => {
  const cache = new Cache<string>({ max: 10, ttl: 60_000 })
  const { find, answers } = finds()
  const asked = Array.from({ length: 64 }, () => cache.read('key', find))
  expect(answers).toHaveLength(1)
  answers[0]?.('found')
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['found']))
  expect(await cache.read('key', find)).toBe('found')
  expect(answers).toHaveLength(1)
})

test('a look-up that began before a drop does not answer later reads and is not cached', async () => {
  const cache = new Cache<string>({ max: 10, ttl: 60_000 })
  const { find, answers } = finds()
  const before = cache.read('key', find)
  cache.drop(() => true)
  const after = cache.read('key', find)
  answers[0]?.('old')
  expect(await before).toBe('old')
  const meanwhile = cache.read('key', find)
  expect(answers).toHaveLength(2)
  answers[1]?.('new')
  expect(await Promise.all([after, meanwhile])).toEqual(['new', 'new'])
  expect(await cache.read('key', find)).toBe('new')
})
