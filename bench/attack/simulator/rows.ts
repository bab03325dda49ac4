import type { Kind } from '../../../server/captcha/challenges/kinds/choose.ts'
import type { Prices } from '../price/cost.ts'
import { type AttackerRow, attackerRow, type PersonRow, personRow } from './measure.ts'
import type { Population } from './populations.ts'
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
const KINDS: readonly (readonly Kind[])[] = [['pow-hashwx'], ['pow-sha256']]

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
  let first: Outcome[] = []
  let attackers: AttackerRow[] = []
  for (const perSecond of tries)
    for (const kinds of isAttacked ? KINDS : KINDS.slice(0, 1)) {
      const outcomes = await simulate(withAttack(population, perSecond, kinds), seed)
      if (first.length === 0) first = outcomes
      const others = rowsOfAttackers(outcomes)
      const isCheaper =
        (others[0]?.total ?? Number.POSITIVE_INFINITY) < (attackers[0]?.total ?? Number.POSITIVE_INFINITY)
      if (isCheaper) attackers = others
    }
  return {
    people: first.filter(({ group }) => group.kind === 'person').map((outcome) => personRow(population, outcome)),
    attackers,
  }
}
