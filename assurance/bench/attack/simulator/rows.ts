import type { Prices } from '../price/cost.ts'
import { type AttackerRow, attackerRow, type PersonRow, personRow } from './measure.ts'
import type { Kind, Population } from './populations.ts'
import { type Outcome, simulate } from './run.ts'
import { BASE_WORK } from './service.ts'

/** The population with attackers who try so often a second, and say that they can solve these kinds. */
const withAttack = (population: Population, perSecond: number | undefined, kinds: readonly Kind[]): Population => ({
  ...population,
  groups: population.groups.map((group) =>
    group.kind === 'person' ? group : { ...group, kinds, ...(perSecond !== undefined && { rate: () => perSecond }) },
  ),
})

/** The kind that a site asks for, or the one that it accepts in its place. */
const HASHWX: readonly Kind[] = ['pow-hashwx']
const SHA256: readonly Kind[] = ['pow-sha256']

/**
 * A population's rows: of its people while the attackers try as often as they can, and of the attackers with the number of
 * tries and the kind of challenge that make a pass cheapest.
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
  const tries = population.tries.length > 0 ? population.tries : [undefined]
  const isAttacked = population.groups.some(({ kind }) => kind !== 'person')
  const first = await simulate(withAttack(population, tries[0], HASHWX), seed)
  if (!isAttacked) return { people: peopleOf(population, first), attackers: [] }
  const runs = [{ perSecond: tries[0], attackers: rowsOfAttackers(first) }]
  for (const perSecond of tries.slice(1))
    runs.push({
      perSecond,
      attackers: rowsOfAttackers(await simulate(withAttack(population, perSecond, HASHWX), seed)),
    })
  const cheapest = () => runs.toSorted((a, b) => totalOf(a) - totalOf(b))[0] ?? { perSecond: undefined, attackers: [] }
  // the other kind at the number of tries that is cheapest
  const { perSecond } = cheapest()
  runs.push({ perSecond, attackers: rowsOfAttackers(await simulate(withAttack(population, perSecond, SHA256), seed)) })
  return { people: peopleOf(population, first), attackers: cheapest().attackers }
}

const totalOf = ({ attackers }: { attackers: AttackerRow[] }): number => attackers[0]?.total ?? Number.POSITIVE_INFINITY

const peopleOf = (population: Population, outcomes: Outcome[]): PersonRow[] =>
  outcomes.filter(({ group }) => group.kind === 'person').map((outcome) => personRow(population, outcome))
