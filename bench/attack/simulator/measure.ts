import { costOf, identityCost, type Prices, waysToCompute } from '../price/cost.ts'
import type { Population } from './populations.ts'
import type { Outcome, Visit } from './run.ts'

/** Waits in seconds, of those who passed. */
export type PersonRow = {
  population: string
  people: string
  visits: number
  slowPhoneMedian: number
  slowPhoneP95: number
  refusedShare: number
}

/** Costs in US dollars per thousand passes. `raise`: mean difficulty as a multiple of the base difficulty. */
export type AttackerRow = {
  population: string
  attacker: string
  tries: number
  passesPerHour: number
  refusedShare: number
  raise: number
  raiseAtEnd: number
  compute: number
  identity: number
  total: number
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

const refusedOf = (visits: readonly Visit[]): number =>
  share(visits.filter(({ passed }) => !passed).length, visits.length)

export function personRow({ name }: Population, { group, visits }: Outcome): PersonRow {
  const waits = visits
    .filter(({ device, passed }) => device === 'slow phone' && passed)
    .map(({ waited }) => waited / 1000)
  return {
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
  { name, measuredFrom, until }: Population,
  { group, visits }: Outcome,
  prices: Prices,
  baseWork: number,
): AttackerRow {
  if (group.kind === 'person') throw new Error(`${group.name} is not an attacker`)
  const passed = visits.filter((visit) => visit.passed)
  const hours = (until - measuredFrom) / 3_600_000
  const perHour = passed.length / hours
  const [cheapest] = waysToCompute(prices)
  const work = sum(visits.map((visit) => visit.work)) / passed.length
  const compute = group.kind === 'farm' || !cheapest ? 0 : costOf(cheapest, work)
  const identity = identityCost(prices, group.kind, { perHour, tries: visits.length / passed.length })
  const raiseOf = (of: readonly Visit[]): number => share(sum(of.map((visit) => visit.work)), of.length * baseWork)
  return {
    population: name,
    attacker: group.name,
    tries: visits.length,
    passesPerHour: perHour,
    refusedShare: refusedOf(visits),
    raise: raiseOf(passed),
    raiseAtEnd: raiseOf(passed.filter(({ at }) => at > until - END_MS)),
    compute: compute * 1000,
    identity: identity * 1000,
    total: (compute + identity) * 1000,
  }
}
