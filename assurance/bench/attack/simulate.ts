/**
 * What visitors wait and what attackers pay under the adaptive difficulty: populations of visitors in virtual time against
 * the service's own limits, counters and pricing. Deterministic for a seed. Needs neither a build nor a database.
 *
 *   npm run bench:attack:simulate [-- --seed 1] [--only "part of a population's name"] [--json assurance/bench/results/attack.json]
 *   npm run bench:attack:simulate -- --sweep
 *
 * --sweep: crowds behind one address or prefix, from 1 to 300 visits a minute, instead of populations and attackers.
 */
import { parseArgs } from 'node:util'
import { table, write } from '../verification/report.ts'
import { readPrices } from './price/cost.ts'
import type { AttackerRow, PersonRow } from './simulator/measure.ts'
import { populations } from './simulator/populations.ts'
import { rowsOf } from './simulator/rows.ts'
import { sweep } from './simulator/sweep.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    sweep: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const seed = Number(options.seed)

async function simulatePopulations() {
  const prices = readPrices()
  const people: PersonRow[] = []
  const attackers: AttackerRow[] = []
  for (const population of populations().filter(({ name }) => name.includes(options.only))) {
    console.error(`${population.name} (${population.mode})`)
    const rows = await rowsOf(population, prices, seed)
    people.push(...rows.people)
    attackers.push(...rows.attackers)
  }
  table(people)
  table(attackers)
  if (options.json) write({ seed, pricesOf: prices.asOf, attackers }, options.json)
}

if (options.sweep) table(await sweep({ seed }))
else await simulatePopulations()
