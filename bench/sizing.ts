/**
 * What the service needs: bytes in the database per row, write-ahead log per verification, memory and connections of a node.
 * Linux only.
 *
 *   npm run bench:sizing [-- --flows 5000]
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../server/kit/config.ts'
import { createLog } from '../server/kit/log.ts'
import { openService } from '../server/kit/service.ts'
import { createTestClient } from '../test/support/client.ts'
import { makeSite } from '../test/support/make.ts'
import { startServer } from '../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../test/support/temporary.ts'

const { values: options } = parseArgs({ options: { flows: { type: 'string', default: '5000' } } })
const flows = Number(options.flows)
const CONCURRENCY = 32
const TABLES = ['intent', 'decision', 'feedback_event', 'captcha_grant', 'refusal', 'audit_event']

const cluster = await openTemporaryCluster('sizing')
const settings = await databaseSettings(cluster)
const service = await openService(readConfig(settings), { kind: 'command', label: 'bench' }, createLog('silent'))
const site = await makeSite(service.ctx, { quota: 1_000_000 })
await service.close()
const owner = new pg.Pool({ connectionString: settings.OWNER_DATABASE_URL, max: 1 })
const server = await startServer({ ...settings, LOG_LEVEL: 'warn', TENANT_CALLS_PER_SECOND: '100000' }, 'build')
const client = createTestClient(server.url)

const megabytes = () =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
const wal = async () => {
  const { rows } = await owner.query<{ bytes: string }>(`select pg_current_wal_lsn() - '0/0' as bytes`)
  return Number(rows[0]?.bytes)
}
const connections = async () => {
  const { rows } = await owner.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  return rows[0]?.n ?? 0
}

console.log(`a node at rest: ${megabytes()} MB, ${await connections()} connections`)
// full pages that follow a checkpoint are part of what is written
const before = await wal()
let left = flows
const results = await Promise.all(
  Array.from({ length: CONCURRENCY }, async () => {
    let most = 0
    while (left-- > 0) {
      const values = await client.earn(site)
      const { status, body } = await client.siteverify(site, values)
      if (status !== 200) throw new Error(`a redemption was answered ${status}`)
      const event = {
        decision_id: body['decision_id'],
        event_id: crypto.randomUUID(),
        outcome: 'legitimate',
        business_type: 'order',
        occurred_at: Math.floor(Date.now() / 1000),
      }
      const reported = await client.asSite('/feedback', site, event)
      if (reported.status !== 200) throw new Error(`feedback was answered ${reported.status}`)
      if (left % 100 === 0) most = Math.max(most, await connections())
    }
    return most
  }),
)
console.log(
  `after ${flows} verifications at ${CONCURRENCY} at once: ${megabytes()} MB, at most ${Math.max(...results)} connections`,
)
console.log(`write-ahead log: ${Math.round(((await wal()) - before) / flows)} bytes per verification with feedback`)
for (const table of TABLES) {
  const { rows } = await owner.query<{ n: number; bytes: string; heap: string }>(
    `select (select count(*)::int from ${table}) as n, pg_total_relation_size('${table}') as bytes, pg_relation_size('${table}') as heap`,
  )
  const [row] = rows
  if (row && row.n > 100)
    console.log(
      `${table}: ${Math.round(Number(row.bytes) / row.n)} bytes a row, of which ${Math.round(Number(row.heap) / row.n)} in the table`,
    )
}
await server.end()
await owner.end()
await cluster.close()
