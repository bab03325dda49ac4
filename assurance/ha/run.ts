/**
 * The failover test of docs/high-availability.md: three database machines on loopback, two nodes, redemptions all along.
 *
 *   npm run failover -- [FAILOVERS] [--faults machine,database,postgres,frozen,switchover]
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { History } from '../faults/history.ts'
import { reconcileHistory } from '../faults/reconcile.ts'
import { missingPrograms } from './cluster.ts'
import { openBooks, openDeployment, startMerchant } from './deployment.ts'
import { FAULT_NAMES, type Failover, type FaultName, failOver } from './failovers.ts'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { faults: { type: 'string' } } })
const count = Number(positionals[0] ?? FAULT_NAMES.length)
const faults = (values.faults?.split(',') ?? FAULT_NAMES) as FaultName[]
if (!Number.isInteger(count) || count < 1 || faults.some((fault) => !FAULT_NAMES.includes(fault))) {
  console.error(`Usage: npm run failover -- [FAILOVERS] [--faults ${FAULT_NAMES.join(',')}]`)
  process.exit(2)
}
const missing = missingPrograms()
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}. Install Debian's packages of these names (etcd: etcd-server).`)
  process.exit(2)
}

/** How long what was not answered is sent again at the end. */
const SETTLE_SECONDS = 120

const history = new History(join(mkdtempSync(join(tmpdir(), 'tollgate-failover-')), 'history.jsonl'))
const deployment = await openDeployment(console.log)
console.log(`history: ${history.path}`)
openBooks(history, deployment)
const { cluster } = deployment
const merchant = startMerchant(history, deployment)
const done: Failover[] = []
let failed = false
try {
  for (let i = 0; i < count; i++) {
    const fault = faults[i % faults.length] ?? 'machine'
    const failover = await failOver(cluster, fault, merchant)
    done.push(failover)
    const { from, to, seconds, wholeAfter, copied } = failover
    console.log(
      `${String(i + 1).padStart(4)}  ${fault.padEnd(10)}  ${from} → ${to}  writes back after ${seconds.toFixed(1).padStart(5)} s, three machines after ${wholeAfter.toFixed(0).padStart(3)} s, ${merchant.acknowledgements.length} acknowledged${copied.length > 0 ? `, copied anew: ${copied.join(', ')}` : ''}`,
    )
  }
} catch (error) {
  failed = true
  console.error(error)
}
const unsettled = await merchant.settle(SETTLE_SECONDS)
const owner = cluster.url('tollgate_owner')
// before the replays, because a redemption that was lost would be done again by one
const first = await reconcileHistory(owner, history.path)
await merchant.replay()
const { violations, ...counts } = await reconcileHistory(owner, history.path)
for (const fault of new Set(done.map((each) => each.fault))) {
  const seconds = done.flatMap((each) => (each.fault === fault ? [each.seconds] : [])).toSorted((a, b) => a - b)
  const median = seconds[Math.floor(seconds.length / 2)] ?? 0
  console.log(
    `${fault.padEnd(10)} ${String(seconds.length).padStart(4)} times, writes back after ${median.toFixed(1)} s (median), ${seconds.at(-1)?.toFixed(1)} s (longest)`,
  )
}
const found = [...first.violations, ...violations]
console.log(`${done.length} failovers: ${JSON.stringify({ ...counts, unsettled, violations: found })}`)
history.close()
await deployment.close()
process.exit(failed || unsettled > 0 || found.length > 0 ? 1 : 0)
