import { beforeAll, expect, test } from 'vitest'
import { readPrices } from '../price/cost.ts'
import type { AttackerRow, PersonRow } from './measure.ts'
import { populations } from './populations.ts'
import { rowsOf } from './rows.ts'

/** The goals of the pricing, on short and small versions of the simulator's populations. Virtual time, so deterministic. */

const prices = readPrices()
const all = populations({ warmUp: 8, measured: 6, busy: 50 })

async function rowsFor(mode: 'adaptive' | 'attack', start: string) {
  const population = all.find((one) => one.mode === mode && one.name.startsWith(start))
  if (!population) throw new Error(`no population ${start}`)
  return rowsOf(population, prices, 1)
}

let calm: Partial<Record<PersonRow['mode'], PersonRow>>
beforeAll(async () => {
  const ofMode = async (mode: 'adaptive' | 'attack') => (await rowsFor(mode, 'calm visitors')).people[0] as PersonRow
  calm = { adaptive: await ofMode('adaptive'), attack: await ofMode('attack') }
})

function expectAtMostTwice(row: PersonRow): void {
  const { slowPhoneMedian = 0, slowPhoneP95 = 0 } = calm[row.mode] ?? {}
  expect([row.population, row.slowPhoneMedian <= 2 * slowPhoneMedian]).toEqual([row.population, true])
  expect([row.population, row.slowPhoneP95 <= 2 * slowPhoneP95]).toEqual([row.population, true])
  expect(row.refusedShare).toBeLessThan(0.001)
}

test.for([
  ['adaptive', 'an office'],
  ['adaptive', 'a mobile carrier'],
  ['adaptive', 'a university'],
  ['adaptive', 'a sale'],
  ['adaptive', 'a large deployment: 50 visits a second, carrier known'],
  ['attack', 'an office of 300 behind one address'],
  ['attack', 'a mobile carrier’s NAT: 8 addresses'],
  ['attack', 'a university’s /48'],
  ['attack', 'an office of 300 behind one address, known'],
  ['attack', 'a mobile carrier’s NAT: 8 addresses, known'],
  ['attack', 'a university’s /48, known'],
] as const)('%s: people of %s wait at most twice as long as a calm visitor', async ([mode, start]) => {
  for (const row of (await rowsFor(mode, start)).people) expectAtMostTwice(row)
})

/**
 * The least that a million passes cost an attacker of a site that is not part of a large deployment, in US dollars, over all identities,
 * numbers of tries and kinds of challenges. docs/attack-method.md quotes them.
 */
const LEAST = { adaptive: 0.2, attack: 0.5 }

test.for(
  all
    .filter(({ name, groups }) => groups.some(({ kind }) => kind !== 'person') && !name.includes(' visits a second'))
    .map(({ mode, name }) => [mode === 'attack' ? mode : 'adaptive', name] as const),
)('%s: no kind of challenge makes a million passes of %s cheaper than the least price', async ([mode, name]) => {
  const { attackers } = await rowsFor(mode, name)
  expect(attackers.map(({ total }: AttackerRow) => [total >= LEAST[mode], total])).toEqual([[true, expect.any(Number)]])
})
