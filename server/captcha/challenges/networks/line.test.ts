import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { twoWorkers } from '../../../../test/support/twoWorkers.ts'
import type { VisitorCtx } from '../../../accounts/access.ts'
import { Resources } from '../../../kit/context.ts'
import type { AppError } from '../../../kit/error.ts'
import { createLocalLimiter, type Limiter } from '../../../kit/limits/limiter.ts'
import { IN_LINE, LINE_FULL, waitInLine } from './line.ts'

const process = (limiter: Limiter): VisitorCtx =>
  ({ limiter, resources: new Resources(() => ({}) as never) }) as unknown as VisitorCtx

/** How an intent's visitor is answered: the seconds to wait and why, or undefined if it is their turn. */
const ask = (ctx: VisitorCtx, intent: string, perSecond = 1, keys = ['line']) =>
  waitInLine(
    ctx,
    intent,
    keys.map((key) => ({ key, perSecond })),
  ).then(
    () => undefined,
    ({ retryAfter, detail }: AppError) => ({ retryAfter, detail }),
  )

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('visitors are served in order, one after the other, and each keeps its place', async () => {
  const ctx = process(createLocalLimiter())
  const first = []
  for (const intent of ['a', 'b', 'c']) first.push((await ask(ctx, intent))?.retryAfter)
  expect(first).toEqual([1, 2, 3])
  // who asks early is told what is left, and gets no other place
  expect((await ask(ctx, 'c'))?.retryAfter).toBeLessThanOrEqual(3)
  vi.advanceTimersByTime(1100)
  expect(await ask(ctx, 'a')).toBeUndefined()
  expect((await ask(ctx, 'c'))?.retryAfter).toBeLessThanOrEqual(2)
  // a repetition after its turn is served as well
  expect(await ask(ctx, 'a')).toBeUndefined()
  expect(await ask(ctx, 'z', 1, [])).toBeUndefined()
})

test('visitors who arrive together get different places, also where the limits are in another process', async () => {
  const [worker] = twoWorkers().shared
  for (const ctx of [process(createLocalLimiter()), process(worker.limiter)]) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => ask(ctx, `intent ${i}`)))
    expect(answers.map((answer) => answer?.retryAfter)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
    // asking again and again makes the line no longer
    await Promise.all(Array.from({ length: 50 }, () => ask(ctx, 'intent 3')))
    expect((await ask(ctx, 'last'))?.retryAfter).toBe(51)
  }
})

test('where the wait would be longer than a minute there is no place, and later there is', async () => {
  const ctx = process(createLocalLimiter())
  const answers = []
  for (let i = 0; i < 130; i++) answers.push(await ask(ctx, `intent ${i}`, 2))
  expect(answers.filter((answer) => answer?.detail === IN_LINE)).toHaveLength(120)
  const refused = answers.filter((answer) => answer?.detail === LINE_FULL)
  expect(refused).toHaveLength(10)
  for (const one of refused) expect(one?.retryAfter).toBe(61)
  vi.advanceTimersByTime(1500)
  expect((await ask(ctx, 'intent 129', 2))?.detail).toBe(IN_LINE)
})

test('a visitor who had no place and comes again gets one that is kept until it is due', async () => {
  const ctx = process(createLocalLimiter())
  for (let i = 0; i < 60; i++) await ask(ctx, `intent ${i}`)
  expect((await ask(ctx, 'late'))?.detail).toBe(LINE_FULL)
  vi.advanceTimersByTime(100_000)
  for (let i = 0; i < 54; i++) await ask(ctx, `other ${i}`)
  expect((await ask(ctx, 'late'))?.retryAfter).toBe(55)
  vi.advanceTimersByTime(55_000)
  expect(await ask(ctx, 'late')).toBeUndefined()
})

test('lines do not wait for each other, and who waits in two waits for the longer', async () => {
  const ctx = process(createLocalLimiter())
  for (let i = 0; i < 30; i++) await ask(ctx, `intent ${i}`)
  expect((await ask(ctx, 'other', 1, ['another line']))?.retryAfter).toBe(1)
  expect((await ask(ctx, 'both', 1, ['line', 'another line']))?.retryAfter).toBe(31)
})

test('a place that one worker gave is known to the other', async () => {
  const { shared } = twoWorkers()
  const [one, other] = [process(shared[0].limiter), process(shared[1].limiter)]
  for (let i = 0; i < 3; i++) await ask(one, `intent ${i}`)
  const before = await ask(one, 'mine')
  expect(before?.retryAfter).toBe(4)
  expect((await ask(other, 'mine'))?.retryAfter).toBeLessThanOrEqual(4)
  expect((await ask(other, 'mine'))?.retryAfter).toBeGreaterThan(1)
  vi.advanceTimersByTime(1100)
  expect(await ask(other, 'intent 0')).toBeUndefined()
})
