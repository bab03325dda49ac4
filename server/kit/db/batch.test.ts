import pg from 'pg'
import { expect, test } from 'vitest'
import { AppError } from '../error.ts'
import { BatchQueue } from './batch.ts'

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)

/** A queue that records its batches and answers each item doubled. */
function openQueue(
  options: {
    size?: number
    queue?: number
    key?: (item: number) => string
    tenant?: (item: number) => string
    fail?: (items: number[]) => unknown
  } = {},
) {
  const batches: number[][] = []
  const { fail, ...rest } = options
  const queue = new BatchQueue<number, number>({
    key: String,
    ...rest,
    async run(items) {
      batches.push(items)
      await new Promise((resolve) => setImmediate(resolve))
      const fault = fail?.(items)
      if (fault) throw fault
      return items.map((item) => item * 2)
    },
  })
  return { batch: (item: number) => queue.add(item), batches }
}

test('sends concurrent items together and gives each its own answer', async () => {
  const { batch, batches } = openQueue()
  expect(await Promise.all(numbers(50).map((n) => batch(n)))).toEqual(numbers(50).map((n) => n * 2))
  expect(batches).toHaveLength(1)
})

test('sends items that arrive meanwhile in the next batches, in order and of limited size', async () => {
  const { batch, batches } = openQueue({ size: 20 })
  await Promise.all(numbers(50).map((n) => batch(n)))
  expect(batches.map((items) => items.length)).toEqual([20, 20, 10])
  expect(batches.flat()).toEqual(numbers(50))
})

test('sends a second item of a key after the first', async () => {
  const { batch, batches } = openQueue({ key: () => 'same' })
  await Promise.all(numbers(3).map((n) => batch(n)))
  expect(batches).toEqual([[0], [1], [2]])
})

test('one failing item fails alone', async () => {
  const poison = new Error('poison')
  const { batch } = openQueue({ fail: (items) => (items.includes(7) ? poison : undefined) })
  const outcomes = await Promise.allSettled(numbers(10).map((n) => batch(n)))
  expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toEqual([{ status: 'rejected', reason: poison }])
  expect(outcomes[8]).toEqual({ status: 'fulfilled', value: 16 })
})

test('answers a deadlock with unavailable, not with an internal error', async () => {
  const conflict = Object.assign(new pg.DatabaseError('deadlock', 0, 'error'), { code: '40P01' })
  const { batch } = openQueue({ fail: () => conflict })
  await expect(batch(1)).rejects.toMatchObject({ code: 'unavailable' })
})

test('refuses waiting items immediately while the database is unavailable, and recovers afterwards', async () => {
  let away = true
  const { batch, batches } = openQueue({ size: 5, fail: () => (away ? new AppError('unavailable') : undefined) })
  const outcomes = await Promise.allSettled(numbers(20).map((n) => batch(n)))
  expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true)
  expect(batches).toHaveLength(1)
  away = false
  expect(await batch(21)).toBe(42)
})

test('refuses items when the queue is full', async () => {
  const { batch } = openQueue({ queue: 10 })
  const outcomes = await Promise.allSettled(numbers(15).map((n) => batch(n)))
  expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(5)
})

/** What the hot pool throws when a statement has waited too long for a lock. */
const lockTimeout = () =>
  new AppError('unavailable', { cause: Object.assign(new pg.DatabaseError('lock', 0, 'error'), { code: '55P03' }) })

test('after a wait for a lock, the tenant whose rows are locked fails alone and is tried alone until it succeeds', async () => {
  let locked = true
  const { batch, batches } = openQueue({
    tenant: (item) => String(item % 3),
    fail: (items) => (locked && items.some((item) => item % 3 === 0) ? lockTimeout() : undefined),
  })
  const outcomes = await Promise.allSettled(numbers(30).map((n) => batch(n)))
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(numbers(30).map((n) => n % 3 !== 0))
  expect(batches.map((items) => items.length)).toEqual([30, 10, 10, 10])

  batches.length = 0
  const later = await Promise.allSettled(numbers(30).map((n) => batch(n)))
  expect(later.map(({ status }) => status === 'fulfilled')).toEqual(numbers(30).map((n) => n % 3 !== 0))
  expect(batches.map((items) => items.length).toSorted()).toEqual([10, 20])

  locked = false
  await batch(0)
  batches.length = 0
  await Promise.all(numbers(30).map((n) => batch(n)))
  expect(batches.map((items) => items.length)).toEqual([30])
})

test('items of a key stay in order when their tenant is tried alone', async () => {
  let locked = true
  const { batch, batches } = openQueue({
    key: (item) => String(item % 2),
    tenant: (item) => String(item % 2),
    fail: (items) => {
      if (!locked || items.length === 1) return undefined
      locked = false
      return lockTimeout()
    },
  })
  await Promise.all(numbers(6).map((n) => batch(n)))
  expect(batches.flat().filter((item) => item % 2 === 0)).toEqual([0, 0, 2, 4])
})
