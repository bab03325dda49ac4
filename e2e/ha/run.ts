/**
 * The failover test of docs/high-availability.md: three database machines on loopback, two nodes, redemptions all along.
 *
 *   npm run failover -- [FAILOVERS] [--faults machine,database,postgres,frozen,switchover]
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { missingPrograms } from './cluster.ts'
import { openDeployment } from './deployment.ts'
import { FAULT_NAMES, type Failover, type FaultName, failOver } from './failovers.ts'
import { History } from './history.ts'
import { Load } from './load.ts'
import { verifyHistory } from './verify.ts'

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

const file = join(mkdtempSync(join(tmpdir(), 'tollgate-failover-')), 'history.jsonl')
const history = await History.open(file)
const deployment = await openDeployment(console.log)
console.log(`history: ${file}`)
const { cluster, nodes, tenant, site } = deployment
const load = new Load(
  nodes.map(({ url }) => url),
  site,
  history,
)
const done: Failover[] = []
let failed = false
try {
  for (let i = 0; i < count; i++) {
    const fault = faults[i % faults.length] ?? 'machine'
    const failover = await failOver(cluster, fault, history)
    done.push(failover)
    const { from, to, seconds, wholeAfter, copied } = failover
    const acknowledged = history.acknowledgements().length
    console.log(
      `${String(i + 1).padStart(4)}  ${fault.padEnd(10)}  ${from} → ${to}  writes back after ${seconds.toFixed(1).padStart(5)} s, three machines after ${wholeAfter.toFixed(0).padStart(3)} s, ${acknowledged} acknowledged${copied.length > 0 ? `, copied anew: ${copied.join(', ')}` : ''}`,
    )
    const changed = await load.replay(20)
    if (changed.length > 0) console.log(`      other answers now: ${changed.join(', ')}`)
    failed ||= changed.length > 0
  }
} catch (error) {
  failed = true
  console.error(error)
}
await load.stop()
const verified = await verifyHistory(cluster.url('tollgate_owner'), tenant, history.entries)
for (const fault of new Set(done.map((each) => each.fault))) {
  const seconds = done.flatMap((each) => (each.fault === fault ? [each.seconds] : [])).toSorted((a, b) => a - b)
  const median = seconds[Math.floor(seconds.length / 2)] ?? 0
  console.log(
    `${fault.padEnd(10)} ${String(seconds.length).padStart(4)} times, writes back after ${median.toFixed(1)} s (median), ${seconds.at(-1)?.toFixed(1)} s (longest)`,
  )
}
console.log(`${done.length} failovers: ${JSON.stringify(verified)}`)
await history.close()
await deployment.close()
process.exit(failed || verified.faults.length > 0 ? 1 : 0)
