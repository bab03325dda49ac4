import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { twoWorkers } from '../../../test/support/twoWorkers.ts'
import type { Limiter, Rule } from '../../kit/limits/limiter.ts'
import type { Counted } from '../../kit/limits/windowCounter.ts'
import { createCollector } from './collector.ts'

/** Each process counts four of them by itself. */
const SIXTEEN: Rule = { name: 'sixteen', points: 16, duration: 60 }
const taken = (waits: readonly number[]) => waits.filter((wait) => wait === 0).length
const take = (limiter: Limiter | undefined, rule: Rule, key = 'a') => Promise.resolve(limiter?.take(rule, key) ?? -1)
const limitersOf = ({ shared }: ReturnType<typeof twoWorkers>) => shared.map(({ limiter }) => limiter)

test('a worker takes its share of a limit at once, without a message', async () => {
  const workers = twoWorkers()
  const [one, two] = limitersOf(workers)
  for (const limiter of [one, two]) for (let i = 0; i < 4; i++) expect(limiter?.take(SIXTEEN, 'a')).toBe(0)
  expect(workers.messages()).toBe(0)
  expect(await take(one, SIXTEEN)).toBe(0)
  expect(workers.messages()).toBeGreaterThan(0)
})

describe.each([1, 3, 15, 16, 60, 2000])('of a limit of %i', (points) => {
  const rule: Rule = { name: `of-${points}`, points, duration: 60 }

  test('two workers are allowed exactly so many when all are taken at once', async () => {
    const limiters = limitersOf(twoWorkers())
    const waits = await Promise.all(Array.from({ length: 2 * points + 5 }, (_, i) => take(limiters[i % 2], rule)))
    expect(taken(waits)).toBe(points)
    expect(Math.max(...waits)).toBe(60)
  })

  test('one of them is allowed as many if the other has none', async () => {
    const [one] = limitersOf(twoWorkers())
    expect(taken(await Promise.all(Array.from({ length: points + 5 }, () => take(one, rule))))).toBe(points)
  })
})

test.each([3, 11, 16, 40])(
  'however takes and returns of %i are spread, as many are allowed as by one counter',
  async (points) => {
    const rule: Rule = { name: 'spread', points, duration: 60 }
    for (let run = 0; run < 100; run++) {
      const limiters = limitersOf(twoWorkers())
      /** The workers that have a point; a point is returned where it was taken. */
      const open: (Limiter | undefined)[] = []
      const steps: string[] = []
      for (let step = 0; step < 3 * points + 20; step++) {
        if (Math.random() < 0.2) {
          const [holder] = open.splice(Math.floor(Math.random() * open.length), 1)
          await holder?.giveBack(rule, 'a')
          steps.push('returned')
          continue
        }
        const worker = Math.random() < 0.5 ? 0 : 1
        const allowed = (await take(limiters[worker], rule)) === 0
        steps.push(`${worker} ${allowed ? 'took' : 'refused'}`)
        expect({ steps, allowed }).toEqual({ steps, allowed: open.length < points })
        if (allowed) open.push(limiters[worker])
      }
    }
  },
)

test('a worker that starts later asks for the keys that the primary counts', async () => {
  const workers = twoWorkers()
  const [one] = limitersOf(workers)
  expect(taken(await Promise.all(Array.from({ length: 15 }, () => take(one, SIXTEEN))))).toBe(15)
  const { limiter } = workers.start()
  expect([await take(limiter, SIXTEEN), await take(limiter, SIXTEEN)]).toEqual([0, 60])
})

test('after a window, a worker counts its share again', async () => {
  const workers = twoWorkers()
  const [one, two] = limitersOf(workers)
  const rule: Rule = { name: 'short', points: 16, duration: 1 }
  const all = () => Promise.all(Array.from({ length: 20 }, (_, i) => take(i % 2 === 0 ? one : two, rule)))
  expect(taken(await all())).toBe(16)
  // while the primary still counts, and after it
  await sleep(1050)
  expect(taken(await all())).toBe(16)
  await sleep(3200)
  const before = workers.messages()
  expect(one?.take(rule, 'a')).toBe(0)
  expect(workers.messages()).toBe(before)
  expect(taken(await all())).toBe(15)
})

test('when a limit is raised, what was counted of its key still counts', async () => {
  const [one, two] = limitersOf(twoWorkers())
  const rule: Rule = { name: 'raised', points: 11, duration: 60 }
  for (let i = 0; i < 5; i++) expect(await take(one, rule)).toBe(0)
  const raised = { ...rule, points: 60 }
  const waits = await Promise.all(Array.from({ length: 150 }, (_, i) => take(i % 2 === 0 ? one : two, raised)))
  expect(taken(waits)).toBe(55)
})

test('a point that the primary counts can be returned', async () => {
  const [one] = limitersOf(twoWorkers())
  const rule: Rule = { name: 'small', points: 2, duration: 60 }
  for (let i = 0; i < 10; i++) {
    expect(await take(one, rule)).toBe(0)
    await one?.giveBack(rule, 'a')
  }
})

describe('a collection', () => {
  function collecting() {
    const added: Counted[] = []
    let ended = false
    const collector = createCollector(() => [1, 2])
    const done = collector.collect(SIXTEEN, 'a', (counted) => added.push(counted)).then(() => (ended = true))
    return { collector, added, done, ended: () => ended }
  }
  const handed = (id: number, count: number) => ({ type: 'handed' as const, id, counted: { count, left: 1000 } })

  test('ends when all workers have answered or ended', async () => {
    const { collector, added, done, ended } = collecting()
    collector.receive(1, handed(0, 3))
    await sleep(1)
    expect(ended()).toBe(false)
    collector.ended(2)
    await done
    expect(added).toEqual([{ count: 3, left: 1000 }])
  })

  test('does not wait for a stopped process, and adds what it has counted when it answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { collector, added, done } = collecting()
    collector.receive(1, handed(0, 3))
    vi.advanceTimersByTime(1000)
    await done
    collector.receive(2, handed(0, 2))
    expect(added.map(({ count }) => count)).toEqual([3, 2])
  })
})
