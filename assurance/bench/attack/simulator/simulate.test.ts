import { expect, test } from 'vitest'
import { DecayingCounter } from '../../../../server/captcha/challenges/networks/decay.ts'
import { Events } from './events.ts'
import type { Group, Population } from './populations.ts'
import { type Outcome, simulate } from './run.ts'
import { BASE_WORK } from './service.ts'

const MINUTE = 60_000

const group = (over: Partial<Group>): Group => ({
  name: 'visitors',
  kind: 'person',
  from: 0,
  rate: () => 0.5,
  sites: 1,
  address: (random) => `10.0.${random.whole(256)}.${random.whole(256)}`,
  device: () => 'slow phone',
  kinds: ['pow-hashwx', 'pow-sha256'],
  ...over,
})

const population = (...groups: Group[]): Population => ({
  name: 'test',
  mode: 'adaptive',
  established: [],
  tries: [],
  groups,
  measuredFrom: MINUTE,
  until: 11 * MINUTE,
})

const visitsOf = (outcomes: Outcome[]) => outcomes.map(({ visits }) => visits)
const host = group({ name: 'the host', kind: 'host', address: () => '203.0.113.9', device: () => 'server' })

test('the same seed gives the same visits, and another seed gives others', async () => {
  const both = population(group({}), host)
  const first = visitsOf(await simulate(both, 1))
  expect(first.map((visits) => visits.length > 200)).toEqual([true, true])
  expect(visitsOf(await simulate(both, 1))).toEqual(first)
  expect(visitsOf(await simulate(both, 2))).not.toEqual(first)
})

test('the difficulty of each visit is the service’s for the challenges that were solved so far', async () => {
  const busy = { ...host, rate: () => 3, sites: 1, device: () => 'desktop' as const }
  const [visits = []] = visitsOf(await simulate({ ...population(busy), measuredFrom: 0, until: 6 * MINUTE }, 1))
  const solved = visits.toSorted((a, b) => a.at + a.waited - b.at - b.waited)
  const counter = new DecayingCounter({ halfLife: 2 * MINUTE, maxKeys: 1 })
  const expected: number[] = []
  let next = 0
  for (const { at } of visits.toSorted((a, b) => a.at - b.at)) {
    for (; next < solved.length && (solved[next]?.at ?? 0) + (solved[next]?.waited ?? 0) <= at; next++)
      counter.count('the host', (solved[next]?.at ?? 0) + (solved[next]?.waited ?? 0))
    // alone, the host may have a weight of 192 before it doubles
    const doublings = Math.min(3, Math.max(0, Math.ceil(Math.log2((counter.weight('the host', at) + 1) / 192))))
    expected.push(BASE_WORK * Math.min(6, 2 ** doublings))
  }
  const asked = visits.toSorted((a, b) => a.at - b.at).map(({ work }) => work)
  expect(asked).toEqual(expected)
  expect([asked[0], Math.max(...asked)]).toEqual([BASE_WORK, 4 * BASE_WORK])
  const [calm = []] = visitsOf(await simulate(population(group({})), 1))
  expect(new Set(calm.map(({ work }) => work))).toEqual(new Set([BASE_WORK]))
})

test('a flood from one network waits in line, and what would wait for more than a minute is refused, in virtual time', async () => {
  const flood = population({ ...host, kind: 'person', rate: () => 20 })
  const [visits = []] = visitsOf(await simulate(flood, 1))
  expect(Object.hasOwn(performance, 'now')).toBe(false)
  const passed = visits.filter((visit) => visit.passed)
  // 64 unsolved challenges that take at least ten seconds each are 384 a minute
  expect(passed.length / 10).toBeGreaterThan(320)
  expect(passed.length / 10).toBeLessThan(460)
  expect(Math.max(...passed.map(({ waited }) => waited))).toBeGreaterThan(30_000)
})

test('events run in the order of their times, and of adding for the same time', async () => {
  const events = new Events()
  const ran: string[] = []
  for (const [at, name] of [
    [5, 'e'],
    [1, 'a'],
    [3, 'c'],
    [3, 'd'],
    [2, 'b'],
  ] as const)
    events.add(at, () => void ran.push(`${name}${events.now}`))
  await events.run()
  expect(ran).toEqual(['a1', 'b2', 'c3', 'd3', 'e5'])
})
