/**
 * What visitors wait and what attackers pay under the adaptive difficulty: populations of visitors in virtual time against
 * the service's own limits, counters and pricing. Deterministic for a seed. Needs neither a build nor a database.
 *
 *   npm run bench:attack:simulate [-- --seed 1] [--only "part of a population's name"] [--out bench/attack/results/NAME]
 *
 * --out writes NAME.json and NAME.md.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readPrices } from './price/cost.ts'
import type { AttackerRow, PersonRow } from './simulator/measure.ts'
import { populations } from './simulator/populations.ts'
import { rowsOf } from './simulator/rows.ts'
import { attackerTable, peopleTable } from './simulator/tables.ts'

const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, only: { type: 'string', default: '' }, out: { type: 'string' } },
})
const prices = readPrices()
const people: PersonRow[] = []
const attackers: AttackerRow[] = []
for (const population of populations()) {
  if (!population.name.includes(options.only)) continue
  console.error(`${population.name} (${population.mode})`)
  const rows = await rowsOf(population, prices, Number(options.seed))
  people.push(...rows.people)
  attackers.push(...rows.attackers)
}
const report = `${peopleTable(people)}\n\n${attackerTable(attackers)}\n`
console.log(report)
if (options.out !== undefined) {
  const result = { seed: Number(options.seed), pricesOf: prices.asOf, people, attackers }
  writeFileSync(`${options.out}.json`, `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(`${options.out}.md`, report)
}
