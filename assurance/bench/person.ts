/**
 * What a person waits: the component in Chromium, with a service and a PostgreSQL of its own at the default difficulty, on threads
 * that are 1, 4, 6 and 20 times slower, with one and two workers, for both kinds of challenges; and at 1 and 6 times also in a tab that
 * is hidden once the verification has begun, and in a browser that has just been installed. Rounds of one visit each, interleaved.
 * Linux only. Needs a build.
 *
 *   npm run bench:person [-- --rounds 5] [--rates 1,4,6,20] [--others 1,6] [--minutes 10] [--json FILE]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Chromium, openChromium } from './person/chromium.ts'
import { openShop } from './person/shop.ts'
import { summarize } from './person/summary.ts'
import { measureThrottle } from './person/throttle.ts'
import { type Condition, type Visit, visit } from './person/visit.ts'
import { openBed } from './verification/bed.ts'
import { machine, table, write } from './verification/report.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    rates: { type: 'string', default: '1,4,6,20' },
    /** The rates of hidden tabs and of first visits. */
    others: { type: 'string', default: '1,6' },
    /** No round begins later. */
    minutes: { type: 'string', default: '10' },
    json: { type: 'string' },
  },
})
const KINDS = ['sha256', 'hashwx'] as const
const TRIES = 3

const numbers = (list: string) => list.split(',').map(Number)
const rates = numbers(options.rates)
const usual: Condition = { kind: 'sha256', workers: 1, rate: 1, tab: 'foreground', caches: 'warm' }
const conditions = KINDS.flatMap((kind): Condition[] => [
  ...rates.flatMap((rate) => [1, 2].map((workers) => ({ ...usual, kind, rate, workers }))),
  ...numbers(options.others).flatMap((rate): Condition[] => [
    { ...usual, kind, rate, tab: 'background' },
    { ...usual, kind, rate, caches: 'cold' },
  ]),
])

const bed = await openBed()
const shop = await openShop(bed)
const warm = await openChromium()
const close = async () => {
  await warm.close()
  shop.close()
  await bed.close()
}
/** A visit that ends with a token that the service accepts. */
async function measure(chromium: Chromium, condition: Condition): Promise<Visit> {
  for (let tries = 1; ; tries++) {
    const { url, redeem } = await shop.openPage(condition.kind)
    const seen = await visit(chromium, url, condition)
    await redeem(seen.token)
    const hidden = seen.hidden !== undefined && seen.hidden < seen.solved
    if (hidden === (condition.tab === 'background')) return seen
    if (tries === TRIES) throw new Error(`the tab was ${hidden ? '' : 'not '}hidden before the token`)
  }
}

async function measureCold(condition: Condition): Promise<Visit> {
  const chromium = await openChromium()
  try {
    // what a browser does after its start is not part of the visit
    await sleep(1000)
    return await measure(chromium, condition)
  } finally {
    await chromium.close()
  }
}

async function measureRates() {
  const tab = await warm.openTab()
  const measured = []
  for (const rate of rates)
    if (rate > 1) measured.push(await measureThrottle((script) => tab.page.evaluate(script), tab.pid, rate))
  await tab.page.close()
  return measured
}

try {
  const throttled = await measureRates()
  // fills the caches: V8 stores compiled code after the second visit
  for (const kind of KINDS) for (let visits = 0; visits < 3; visits++) await measure(warm, { ...usual, kind })
  const visits = conditions.map((): Visit[] => [])
  const until = performance.now() + Number(options.minutes) * 60_000
  for (let round = 0; round < Number(options.rounds) && performance.now() < until; round++)
    for (const [i, condition] of conditions.entries())
      visits[i]?.push(await (condition.caches === 'warm' ? measure(warm, condition) : measureCold(condition)))

  const rows = conditions.map((condition, i) => summarize(condition, visits[i] ?? []))
  console.log(`Chromium ${warm.version}, medians. A loop of a fixed length takes so many times as long:`)
  table(throttled)
  table(rows)
  const date = new Date().toISOString().slice(0, 10)
  if (options.json) write({ machine: machine(), browser: warm.version, date, throttled, rows }, options.json)
} finally {
  await close()
}
process.exit(0)
