/**
 * What the service needs: bytes in the database per row, write-ahead log per verification, memory and connections of a node.
 * Linux only.
 *
 *   npm run bench:sizing [-- --flows 5000] [--json assurance/bench/results/sizing.json]
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createTestClient } from '../../test/support/client.ts'
import { memory } from './cpu.ts'
import { openBed } from './verification/bed.ts'
import { machine, write } from './verification/report.ts'

const { values: options } = parseArgs({
  options: { flows: { type: 'string', default: '5000' }, json: { type: 'string' } },
})
const flows = Number(options.flows)
const CONCURRENCY = 32
const TABLES = ['intent', 'decision', 'feedback_event', 'captcha_grant', 'refusal', 'audit_event']

const bed = await openBed({ settings: { TENANT_CALLS_PER_SECOND: '100000' } })
const site = await bed.addSite('Sizing')
const owner = new pg.Pool({ connectionString: bed.ownerUrl, max: 1 })
const client = createTestClient(`http://127.0.0.1:${bed.port()}`)

const megabytes = () => memory(bed.pid()).resident
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

const atRest = { megabytes: megabytes(), connections: await connections() }
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
const afterwards = { megabytes: megabytes(), connections: Math.max(...results) }
const walBytes = Math.round(((await wal()) - before) / flows)
const rows: Record<string, { bytes: number; inTable: number }> = {}
for (const table of TABLES) {
  const { rows: read } = await owner.query<{ n: number; bytes: string; heap: string }>(
    `select (select count(*)::int from ${table}) as n, pg_total_relation_size('${table}') as bytes, pg_relation_size('${table}') as heap`,
  )
  const [row] = read
  if (row && row.n > 100)
    rows[table] = { bytes: Math.round(Number(row.bytes) / row.n), inTable: Math.round(Number(row.heap) / row.n) }
}
const result = {
  machine: machine(),
  flows,
  concurrency: CONCURRENCY,
  /** Of the process that answers, and its connections to PostgreSQL. */
  atRest,
  /** After the run, and at most during it. */
  afterwards,
  /** Of a verification with feedback. */
  walBytes,
  /** Bytes of a row with its indexes, and without them. */
  rows,
}
console.log(JSON.stringify(result, undefined, 2))
if (options.json !== undefined) write(result, options.json)
await owner.end()
await bed.close()
process.exit(0)
