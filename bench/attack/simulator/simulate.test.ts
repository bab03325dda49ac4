import { expect, test } from 'vitest'
import { DecayingCounter } from '../../../server/captcha/challenges/networks/decay.ts'
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

test('the difficulty of each visit is the service’s for the visits so far', async () => {
  // with several sites, the limit of each is not reached
  const busy = { ...host, rate: () => 0.9, sites: 20 }
  const [visits = []] = visitsOf(await simulate({ ...population(busy), measuredFrom: 0 }, 1))
  // a refused visit was not counted; one visit every two seconds is no surge of the site
  const asked = visits.filter(({ work }) => work > 0).toSorted((a, b) => a.at - b.at)
  const counter = new DecayingCounter({ halfLife: 2 * MINUTE, maxKeys: 1 })
  const expected = asked.map(({ at }) => {
    // alone, the host may have a weight of 96 before it doubles
    const weight = counter.count('the host', at)
    return BASE_WORK * Math.min(6, 2 ** Math.max(0, Math.ceil(Math.log2(weight / 96))))
  })
  expect(asked.map(({ work }) => work)).toEqual(expected)
  expect([expected[0], Math.max(...expected)]).toEqual([BASE_WORK, 2 * BASE_WORK])
  const [calm = []] = visitsOf(await simulate(population(group({})), 1))
  expect(new Set(calm.map(({ work }) => work))).toEqual(new Set([BASE_WORK]))
})

test('the service’s own limit per network refuses a flood, in virtual time', async () => {
  const flood = population({ ...host, rate: () => 20 })
  const [visits = []] = visitsOf(await simulate(flood, 1))
  expect(Object.hasOwn(performance, 'now')).toBe(false)
  const passed = visits.filter((visit) => visit.passed)
  // 60 requests a minute are 30 passes a minute
  expect(passed.length / 10).toBeGreaterThan(25)
  expect(passed.length / 10).toBeLessThan(35)
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
