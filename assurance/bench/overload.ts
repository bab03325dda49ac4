/**
 * What the service still answers when far more requests arrive than it can: an open loop on /intents at half, 3 and 10 times the
 * rate that a closed loop reaches in the same run, then half the rate again, then 3 and 10 times with a new connection for each
 * request. Before that, 256 and 1,000 connections that are opened at the same moment. Linux only.
 *
 *   npm run bench:overload [-- --seconds 10] [--connections 8000] [--json FILE] [--profile DIRECTORY]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { admitOperator } from '../../server/accounts/access.ts'
import { createSite } from '../../server/accounts/sites/create.ts'
import { createTenant } from '../../server/accounts/tenants/create.ts'
import { readConfig } from '../../server/kit/config/config.ts'
import { createLog } from '../../server/kit/process/log.ts'
import { openService } from '../../server/kit/service.ts'
import { newNonce } from '../../test/support/client.ts'
import { startServer } from '../../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../../test/support/temporary.ts'
import { cpuSeconds } from './cpu.ts'
import { burst } from './load/burst.ts'
import { closedLoop, connectAll, percentile } from './load/closed.ts'
import { post } from './load/connection.ts'
import { type OpenLoad, openLoop } from './load/open.ts'
import { median } from './verification/measure.ts'

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

const closed = async (on: number, count: number) => {
  const all = await connectAll(port, on)
  const { seconds: took } = await closedLoop(all, Array.from({ length: count }, next))
  for (const connection of all) connection.close()
  return count / took
}
/** The same on all connections in turn, so many at a time: the state of each has left the processor's caches when its turn comes. */
const rotating = async (atOnce: number, count: number) => {
  const all = await connectAll(port, connections)
  const idle = [...all]
  let left = count
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const connection = idle.shift()
        if (!connection) throw new Error('more requests at once than connections')
        await connection.send(next())
        idle.push(connection)
      }
    }),
  )
  const took = (performance.now() - began) / 1000
  for (const connection of all) connection.close()
  return count / took
}
const AT_ONCE = 64
await closed(AT_ONCE, 10_000)

type Row = Record<string, string | number>
function rowOf(name: string, perSecond: number, { sent, unsent }: OpenLoad, cpu: number): Row {
  const good = sent.filter(({ status }) => status === 200)
  const timesOf = (some: typeof sent) => Float64Array.from(some, ({ milliseconds }) => milliseconds).toSorted()
  const sorted = timesOf(good)
  const of = (status: number) => sent.filter((one) => one.status === status).length
  return {
    load: name,
    'offered/s': Math.round(perSecond),
    'sent/s': Math.round(sent.length / seconds),
    '200/s': Math.round(good.length / seconds),
    503: of(503),
    'no answer': of(0),
    other: sent.length - good.length - of(503) - of(0),
    unsent,
    p50: Math.round(percentile(sorted, 0.5)),
    p99: Math.round(percentile(sorted, 0.99)),
    max: Math.round(percentile(sorted, 1)),
    'latest answer': Math.round(percentile(timesOf(sent.filter(({ status }) => status !== 0)), 1)),
    'service CPU-s': cpu.toFixed(1),
    '200/CPU-s': Math.round(good.length / cpu),
  }
}

const ROUNDS = 5
for (const count of [256, 1000]) {
  const bursts = []
  for (let round = 0; round < ROUNDS; round++)
    bursts.push(await burst(port, { connections: count, requests: Array.from({ length: 8 * count }, next) }))
  console.log(`${count} connections at once, each sends its next request once it has its answer:`)
  console.table(bursts)
}

// measured again before each load, because two seconds may be slower or faster than the next on a shared machine
const capacities: number[] = []
const inTurn: number[] = []
const rows: Row[] = []
for (const [name, times, fresh] of [
  ['half', 0.5, false],
  ['× 3', 3, false],
  ['× 10', 10, false],
  ['half again', 0.5, false],
  ['× 3, new connections', 3, true],
  ['× 10, new connections', 10, true],
] as const) {
  capacities.push(await closed(AT_ONCE, 20_000))
  inTurn.push(await rotating(AT_ONCE, 20_000))
  const offered = median(capacities) * times
  const before = cpuSeconds(server.pid)
  const load = await openLoop(port, { perSecond: offered, seconds, connections, next, fresh })
  rows.push(rowOf(name, offered, load, cpuSeconds(server.pid) - before))
  console.table(rows.slice(-1))
}
const [capacity, capacityInTurn] = [median(capacities), median(inTurn)]
for (const [on, all] of [
  [`${AT_ONCE} connections`, capacities],
  [`${connections} in turn, ${AT_ONCE} at a time`, inTurn],
] as const)
  console.log(`Capacity with ${on}: ${Math.round(median(all))} a second, of ${all.map(Math.round).join(', ')}.`)
const share = (row: Row, of: number) => `${Math.round((100 * Number(row['200/s'])) / of)} %`
console.table(
  rows.map((row) => ({
    ...row,
    [`of ${AT_ONCE} connections`]: share(row, capacity),
    [`of ${connections} in turn`]: share(row, capacityInTurn),
  })),
)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ capacity, capacityInTurn, rows }, undefined, 2)}\n`)
await server.end()
await service.close()
await cluster.close()
process.exit(0)
