/**
 * What visitors wait and what attackers pay under the adaptive difficulty: populations of visitors in virtual time against
 * the service's own limits, counters and pricing. Deterministic for a seed. Needs neither a build nor a database.
 *
 *   npm run bench:attack:simulate [-- --seed 1] [--only "part of a population's name"] [--sweep] [--out bench/attack/results/NAME]
 *
 * --sweep: crowds behind one address or prefix, from 1 to 300 visits a minute, instead of populations and attackers. --out writes
 * NAME.md, and of attackers NAME.json.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readPrices } from './price/cost.ts'
import type { AttackerRow, PersonRow } from './simulator/measure.ts'
import { populations } from './simulator/populations.ts'
import { rowsOf } from './simulator/rows.ts'
import { sweep } from './simulator/sweep.ts'
import { attackerTable, peopleTable, sweepTable } from './simulator/tables.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    sweep: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
})
const seed = Number(options.seed)

async function ofPopulations() {
  const prices = readPrices()
  const people: PersonRow[] = []
  const attackers: AttackerRow[] = []
  for (const population of populations()) {
    if (!population.name.includes(options.only)) continue
    console.error(`${population.name} (${population.mode})`)
    const rows = await rowsOf(population, prices, seed)
    people.push(...rows.people)
    attackers.push(...rows.attackers)
  }
  const report = `${peopleTable(people)}\n\n${attackerTable(attackers)}\n`
  return { report, result: { seed, pricesOf: prices.asOf, people, attackers } }
}

/** The table has every figure, so there is no JSON. */
const ofCrowds = async () => ({ report: `${sweepTable(await sweep({ seed }))}\n`, result: undefined })

const { report, result } = options.sweep ? await ofCrowds() : await ofPopulations()
console.log(report)
if (options.out !== undefined) {
  if (result) writeFileSync(`${options.out}.json`, `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(`${options.out}.md`, report)
}
