import { cheapestOf, costOf, identityCost, type Prices } from '../price/cost.ts'
import type { Kind, Population } from './populations.ts'
import type { Outcome, Visit } from './run.ts'

type Row = { mode: Population['mode']; population: string }

/** Waits in seconds, of those who passed. */
export type PersonRow = Row & {
  people: string
  visits: number
  slowPhoneMedian: number
  slowPhoneP95: number
  refusedShare: number
}

/**
 * Costs in US dollars per million passes, of the cheapest way to compute each challenge. `raise`: mean difficulty as a multiple of
 * the base difficulty. `kind`: of most of the challenges.
 */
export type AttackerRow = Row & {
  attacker: string
  tries: number
  passesPerHour: number
  refusedShare: number
  raise: number
  raiseAtEnd: number
  kind: Kind
  work: number
  identity: number
  total: number
}

const MILLION = 1e6

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

const refusedOf = (visits: readonly Visit[]): number =>
  share(visits.filter(({ passed }) => !passed).length, visits.length)

export function personRow({ name, mode }: Population, { group, visits }: Outcome): PersonRow {
  const waits = visits
    .filter(({ device, passed }) => device === 'slow phone' && passed)
    .map(({ waited }) => waited / 1000)
  return {
    mode,
    population: name,
    people: group.name,
    visits: visits.length,
    slowPhoneMedian: quantile(waits, 0.5),
    slowPhoneP95: quantile(waits, 0.95),
    refusedShare: refusedOf(visits),
  }
}

/** The last part of a population's time, in which counters have become used to an attack. */
const END_MS = 10 * 60_000

export function attackerRow(
  { name, mode, measuredFrom, until }: Population,
  { group, visits }: Outcome,
  prices: Prices,
  baseWork: number,
): AttackerRow {
  if (group.kind === 'person') throw new Error(`${group.name} is not an attacker`)
  const passed = visits.filter((visit) => visit.passed)
  const perHour = passed.length / ((until - measuredFrom) / 3_600_000)
  const computing = (kind: Kind): number => {
    if (group.kind === 'farm') return 0
    const hashes = sum(visits.map((visit) => (visit.kind === kind ? visit.work : 0)))
    return (costOf(cheapestOf(prices, kind === 'pow-hashwx' ? 'hashwx' : 'sha256'), hashes) / passed.length) * MILLION
  }
  const tries = visits.filter((visit) => visit.work > 0).length / passed.length
  const identity = identityCost(prices, group.kind, { perHour, tries }) * MILLION
  const raiseOf = (of: readonly Visit[]): number => share(sum(of.map((visit) => visit.work)), of.length * baseWork)
  const work = computing('pow-sha256') + computing('pow-hashwx')
  const ofHashwx = passed.filter(({ kind }) => kind === 'pow-hashwx').length
  return {
    mode,
    population: name,
    attacker: group.name,
    tries: visits.length,
    passesPerHour: perHour,
    refusedShare: refusedOf(visits),
    raise: raiseOf(passed),
    raiseAtEnd: raiseOf(passed.filter(({ at }) => at > until - END_MS)),
    kind: ofHashwx * 2 > passed.length ? 'pow-hashwx' : 'pow-sha256',
    work,
    identity,
    total: work + identity,
  }
}
