import type { Prices } from '../price/cost.ts'
import { type AttackerRow, attackerRow, type PersonRow, personRow } from './measure.ts'
import type { Population } from './populations.ts'
import { type Outcome, simulate } from './run.ts'
import { BASE_WORK } from './service.ts'

/** The population with another number of tries per second of its attackers. */
const withTries = (population: Population, perSecond: number): Population => ({
  ...population,
  groups: population.groups.map((group) => (group.kind === 'person' ? group : { ...group, rate: () => perSecond })),
})

/**
 * A population's rows: of its people while the attackers try as often as they can, and of the attackers with the number of
 * tries that makes a pass cheapest.
 */
export async function rowsOf(
  population: Population,
  prices: Prices,
  seed: number,
): Promise<{ people: PersonRow[]; attackers: AttackerRow[] }> {
  const rowsOfAttackers = (outcomes: Outcome[]): AttackerRow[] =>
    outcomes
      .filter(({ group, visits }) => group.kind !== 'person' && visits.some(({ passed }) => passed))
      .map((outcome) => attackerRow(population, outcome, prices, BASE_WORK))
  const { tries } = population
  const first = await simulate(tries[0] === undefined ? population : withTries(population, tries[0]), seed)
  let attackers = rowsOfAttackers(first)
  for (const perSecond of tries.slice(1)) {
    const others = rowsOfAttackers(await simulate(withTries(population, perSecond), seed))
    const isCheaper = (others[0]?.total ?? Number.POSITIVE_INFINITY) < (attackers[0]?.total ?? Number.POSITIVE_INFINITY)
    if (isCheaper) attackers = others
  }
  return {
    people: first.filter(({ group }) => group.kind === 'person').map((outcome) => personRow(population, outcome)),
    attackers,
  }
}
