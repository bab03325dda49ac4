/**
 * Disturbs the service under load in every way that it has to survive, and compares the answers that merchants got with the
 * database. Requests and answers are recorded in a file; the comparison is SQL. Defects made on purpose show that it finds them.
 *
 *   npm run faults [-- --long] [--only TEXT] [--json FILE]
 *
 * Exit code 1 if there is a violation, or if a defect is not seen.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, parseArgs } from 'node:util'
import { makeSite } from '../../test/support/make.ts'
import { FAULTS, type Fault } from './faults.ts'
import { History } from './history.ts'
import { Merchant } from './merchant.ts'
import { MUTANTS, type Mutant } from './mutants.ts'
import { type Reconciled, reconcileHistory, type Violation } from './reconcile.ts'
import { openWorld } from './world.ts'

const { values: options } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    // the sums of the tests, for scripts/test.mjs
    report: { type: 'string' },
  },
})
const seconds = options.long ? 30 : 5
/** How long before a fault the load runs, so that intents and redemptions are under way. */
const WARM_MS = 1500
const SETTLE_SECONDS = 60
/** What a defect has broken may never settle. */
const SETTLE_DEFECT_SECONDS = 10

const folder = mkdtempSync(join(tmpdir(), 'tollgate-faults-'))
const history = new History(join(folder, 'history.jsonl'))
const world = await openWorld()
// else its processes and its mounted disk stay; a signal can come twice, from the terminal and from what started this process
let ending: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    ending ??= world.close().finally(() => process.exit(1))
  })

/** Tenants with plenty of units, and one that runs out of quota and then of balance. */
async function makeSites() {
  const plans = [
    { quota: 1_000_000, balance: 0 },
    { quota: 1_000_000, balance: 0 },
    { quota: 40, balance: 30 },
  ]
  return Promise.all(
    plans.map(async (plan) => {
      const site = await makeSite(world.ctx, plan)
      history.write({ kind: 'books', tenant: site.tenantId, ...plan })
      return site
    }),
  )
}

/** `injected`: how often the fault happened. */
type Result = Reconciled & { injected: number; unsettled: number; tookMs: number }

async function run(fault: Fault | Mutant): Promise<Result> {
  const began = performance.now()
  const from = history.next
  const sites = await makeSites()
  const clients = { clients: fault.clients ?? 8, keyPerAttempt: 'keyPerAttempt' in fault }
  if ('prepare' in fault) await fault.prepare?.(world)
  const merchant = new Merchant(history, () => world.entries(), sites, clients)
  await sleep(WARM_MS)
  const injected = await fault.inject(world, seconds, history)
  await world.heal()
  const unsettled = await merchant.settle('seenBy' in fault ? SETTLE_DEFECT_SECONDS : SETTLE_SECONDS)
  // before the replays, because a redemption that was lost would be done again by one
  const first = await reconcileHistory(world.ownerUrl, history.path, from)
  await merchant.replay()
  const second = await reconcileHistory(world.ownerUrl, history.path, from)
  if ('restore' in fault) await fault.restore?.(world)
  return {
    ...second,
    injected,
    violations: merged(first.violations, second.violations),
    unsettled,
    tookMs: performance.now() - began,
  }
}

/** The violations of both comparisons, each check once. */
function merged(first: Violation[], second: Violation[]): Violation[] {
  return [...new Map([...second, ...first].map((violation) => [violation.check, violation])).values()]
}

const rows: Record<string, string | number>[] = []
/** As scripts/reports.mjs adds it to the other suites. */
const sums = {
  passed: 0,
  failed: 0,
  tests: [] as { title: string; ms: number }[],
  failures: [] as { title: string; reason: string }[],
}

function record(fault: Fault | Mutant, { violations, injected, unsettled, tookMs, ...counts }: Result): void {
  const isMutant = 'seenBy' in fault
  const found = violations.reduce((sum, { count }) => sum + count, 0)
  const isRight =
    injected > 0 &&
    counts.redeemed > 0 &&
    (isMutant ? violations.some(({ check }) => check === fault.seenBy) : found === 0 && unsettled === 0)
  sums[isRight ? 'passed' : 'failed'] += 1
  const title = titleOf(fault)
  sums.tests.push({ title, ms: tookMs })
  const row = { fault: title, injected, ...counts, unsettled, violations: found }
  rows.push(row)
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${(tookMs / 1000).toFixed(1).padStart(5)} s  ${JSON.stringify(row)}`)
  const seen = violations.map(({ check, count, examples }) => `${count} × ${check}: ${examples.join('; ')}`)
  if (!isRight || isMutant) for (const violation of seen) console.log(`     ${violation}`)
  if (!isRight) sums.failures.push({ title, reason: [JSON.stringify(row), ...seen].join('\n') })
}

const titleOf = (fault: Fault | Mutant) => ('seenBy' in fault ? `defect: ${fault.name}` : fault.name)
const chosen = (fault: Fault | Mutant) => titleOf(fault).includes(options.only)
try {
  for (const fault of FAULTS.filter(chosen)) {
    const reason = fault.skipped?.(world)
    if (reason === undefined) record(fault, await run(fault))
    else console.log(`skip ${fault.name}: ${reason}`)
  }
  for (const mutant of MUTANTS.filter(chosen)) record(mutant, await run(mutant))
} catch (error) {
  sums.failed += 1
  sums.failures.push({ title: 'faults', reason: inspect(error) })
  console.error(error)
}
await world.close()
history.close()

const columns = Object.keys(rows[0] ?? {})
const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
console.log(
  `\n${[line(columns), line(columns.map(() => '---')), ...rows.map((row) => line(Object.values(row)))].join('\n')}\n`,
)
if (options.json) writeFileSync(options.json, `${JSON.stringify(rows, undefined, 2)}\n`)
if (options.report) writeFileSync(options.report, JSON.stringify(sums))
if (sums.failed > 0) console.error(`The history is in ${history.path}.`)
else rmSync(folder, { recursive: true })
console.log(`faults: ${sums.passed} passed, ${sums.failed} failed`)
process.exit(sums.failed === 0 && sums.passed > 0 ? 0 : 1)
