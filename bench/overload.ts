/**
 * What the service still answers when far more requests arrive than it can: an open loop on /intents at 1, 3 and 10 times the
 * rate that a closed loop reaches in the same run, then the rate again that it had before. Linux only.
 *
 *   npm run bench:overload [-- --seconds 10] [--connections 8000] [--json FILE] [--profile DIRECTORY]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { admitOperator } from '../server/accounts/access.ts'
import { createSite } from '../server/accounts/sites/create.ts'
import { createTenant } from '../server/accounts/tenants/create.ts'
import { readConfig } from '../server/kit/config.ts'
import { createLog } from '../server/kit/log.ts'
import { openService } from '../server/kit/service.ts'
import { newNonce } from '../test/support/client.ts'
import { startServer } from '../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../test/support/temporary.ts'
import { cpuSeconds } from './cpu.ts'
import { closedLoop, connectAll, percentile } from './load/closed.ts'
import { post } from './load/connection.ts'
import { type OpenLoad, openLoop } from './load/open.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '8000' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
})
const seconds = Number(options.seconds)
const connections = Number(options.connections)

const cluster = await openTemporaryCluster('overload', { onDisk: true })
const settings = {
  ...(await databaseSettings(cluster)),
  DATA_DIR: cluster.dataDir,
  LOG_LEVEL: 'warn',
  MAX_CONNECTIONS: String(connections + 200),
}
const service = await openService(readConfig(settings), { kind: 'command', label: 'bench' }, createLog('silent'))
const operator = admitOperator(service.ctx, 'bench')
const tenant = await createTenant(operator, { name: 'Overload', quota: 1_000_000_000 })
const site = await createSite(operator, tenant, { name: 'Overload', hostnames: ['shop.example'] })
await service.ctx.prisma.site.update({
  where: { id: site.id },
  data: { ratePerSecond: 1_000_000, rateBurst: 2_000_000 },
})
const server = await startServer(
  settings,
  'build',
  options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`],
)
const port = Number(new URL(server.url).port)
const next = () =>
  post(
    '/intents',
    { action: 'checkout', nonce: newNonce(), hostname: 'shop.example' },
    { authorization: `Bearer ${site.secret}` },
  )

const closed = async (count: number) => {
  const all = await connectAll(port, 64)
  const { seconds: took } = await closedLoop(all, Array.from({ length: count }, next))
  for (const connection of all) connection.close()
  return count / took
}
await closed(10_000)
const capacity = await closed(20_000)
console.log(`closed loop, 64 connections: ${Math.round(capacity)} a second`)

type Row = Record<string, string | number>
function rowOf(name: string, perSecond: number, { sent, unsent }: OpenLoad, cpu: number): Row {
  const good = sent.filter(({ status }) => status === 200)
  const sorted = Float64Array.from(good, ({ milliseconds }) => milliseconds).toSorted()
  const of = (status: number) => sent.filter((one) => one.status === status).length
  return {
    load: name,
    'offered/s': Math.round(perSecond),
    'sent/s': Math.round(sent.length / seconds),
    '200/s': Math.round(good.length / seconds),
    'of capacity': `${Math.round((100 * good.length) / seconds / capacity)} %`,
    503: of(503),
    'no answer': of(0),
    other: sent.length - good.length - of(503) - of(0),
    unsent,
    p50: Math.round(percentile(sorted, 0.5)),
    p99: Math.round(percentile(sorted, 0.99)),
    max: Math.round(percentile(sorted, 1)),
    'service CPU-s': cpu.toFixed(1),
    '200/CPU-s': Math.round(good.length / cpu),
  }
}

const rows: Row[] = []
for (const [name, times] of [
  ['half', 0.5],
  ['× 3', 3],
  ['× 10', 10],
  ['half again', 0.5],
] as const) {
  const before = cpuSeconds(server.pid)
  const load = await openLoop(port, { perSecond: capacity * times, seconds, connections, next })
  rows.push(rowOf(name, capacity * times, load, cpuSeconds(server.pid) - before))
  console.table(rows.slice(-1))
}
console.table(rows)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ capacity, rows }, undefined, 2)}\n`)
await server.end()
await service.close()
await cluster.close()
process.exit(0)
