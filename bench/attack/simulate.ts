/**
 * What visitors wait and what attackers pay under the adaptive difficulty: populations of visitors in virtual time against
 * the service's own limits, counters and pricing. Deterministic for a seed. Needs neither a build nor a database.
 *
 *   npm run bench:attack:simulate [-- --seed 1] [--out bench/attack/results/NAME]
 *
 * --out writes NAME.json and NAME.md.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readPrices } from './price/cost.ts'
import { type AttackerRow, attackerRow, type PersonRow, personRow } from './simulator/measure.ts'
import { POPULATIONS } from './simulator/populations.ts'
import { simulate } from './simulator/run.ts'
import { BASE_WORK } from './simulator/service.ts'
import { attackerTable, peopleTable } from './simulator/tables.ts'

const { values: options } = parseArgs({ options: { seed: { type: 'string', default: '1' }, out: { type: 'string' } } })
const prices = readPrices()
const people: PersonRow[] = []
const attackers: AttackerRow[] = []
for (const population of POPULATIONS) {
  for (const outcome of await simulate(population, Number(options.seed))) {
    if (outcome.group.kind === 'person') people.push(personRow(population, outcome))
    else attackers.push(attackerRow(population, outcome, prices, BASE_WORK))
  }
}
const report = `${peopleTable(people)}\n\n${attackerTable(attackers)}\n`
console.log(report)
if (options.out !== undefined) {
  const result = { seed: Number(options.seed), pricesOf: prices.asOf, people, attackers }
  writeFileSync(`${options.out}.json`, `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(`${options.out}.md`, report)
}
