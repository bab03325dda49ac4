/**
 * The cost of the console's reads on a large database: p50 and p95 of each, measured at the database, and
 * whether anything scans a large table completely. Fills its own PostgreSQL first, which takes some minutes and 10 GB.
 *
 *   npx tsx assurance/bench/insight.ts [millions of decisions, default 5] [URL of a database that an earlier run has filled]
 */
import pg from 'pg'
import { readConfig } from '../../server/kit/config/config.ts'
import { createLog } from '../../server/kit/process/log.ts'
import { openService } from '../../server/kit/service.ts'
import { deleteExpiredHours } from '../../server/ledger/usage/deleteExpiredHours.ts'
import { repairUsage } from '../../server/ledger/usage/repair.ts'
import { openTemporaryCluster } from '../../test/support/temporary.ts'
import { fill } from './insight/fill.ts'
import { measure } from './insight/measure.ts'
import { readsOf } from './insight/reads.ts'

const MILLION = 1_000_000
const size = Number(process.argv[2] ?? 5) * MILLION
const TURNS = 40

const filled = process.argv[3]
const cluster = filled === undefined ? await openTemporaryCluster('bench', { onDisk: true }) : undefined
await cluster?.createDatabase('tollgate')
const settings = {
  DATABASE_URL: filled ?? cluster?.url('tollgate') ?? '',
  TOLLGATE_KEYS: `bench:${Buffer.alloc(32, 1).toString('base64url')}`,
  LOG_LEVEL: 'warn',
}
const service = await openService(readConfig(settings), { kind: 'command', label: 'bench' }, createLog('silent'))
const { ctx } = service
const sql = new pg.Pool({ connectionString: settings.DATABASE_URL, max: 2 })
if (filled === undefined) {
  await fill(sql, { intents: size, decisions: size, refusals: size / 5, tenants: 200 }, console.log)
  const began = performance.now()
  await repairUsage(ctx, 31 * 24)
  console.log(`counts: repaired from the rows of 31 days in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  await deleteExpiredHours(ctx)
  await sql.query('vacuum analyze usage_hour, usage_day')
}

const table = []
for (const one of await readsOf(ctx, sql)) table.push(await measure(sql, one, TURNS))
console.table(table)
await sql.end()
await service.close()
await cluster?.close()
const failed = table.filter(({ ok }) => !ok)
console.log(
  failed.length === 0 ? 'All within their limits.' : `${failed.length} over their limit or read a table whole.`,
)
process.exit(failed.length === 0 ? 0 : 1)
