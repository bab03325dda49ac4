/**
 * What the service still answers when far more requests arrive than it can: an open loop on /intents at half, 3 and 10 times the
 * rate that a closed loop reaches in the same run, then half the rate again, then 3 and 10 times with a new connection for each
 * request. Before that, 256 and 1,000 connections that are opened at the same moment. Linux only.
 *
 *   npm run bench:overload [-- --seconds 10] [--connections 8000] [--json FILE]
 */
import { parseArgs } from 'node:util'
import { cpuSeconds } from './cpu.ts'
import { burst } from './load/burst.ts'
import { closedLoop, connectAll, percentile } from './load/closed.ts'
import { openLoop } from './load/open.ts'
import { openBed } from './verification/bed.ts'
import { machine, median, table, write } from './verification/report.ts'
import { intentRequest } from './verification/requests.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '8000' },
    json: { type: 'string' },
  },
})
const seconds = Number(options.seconds)
const connections = Number(options.connections)
const AT_ONCE = 64
const BURSTS = 5

const bed = await openBed({ settings: { MAX_CONNECTIONS: String(connections + 200) } })
const site = await bed.addSite('Overload')
const next = () => intentRequest(site)

/** Requests a second that a closed loop reaches. */
async function capacity(count: number): Promise<number> {
  const all = await connectAll(bed.port(), AT_ONCE)
  const { seconds: took } = await closedLoop(all, Array.from({ length: count }, next))
  for (const connection of all) connection.close()
  return count / took
}

async function offer(load: string, perSecond: number, fresh: boolean) {
  const before = cpuSeconds(bed.pid())
  const { sent, unsent } = await openLoop(bed.port(), { perSecond, seconds, connections, next, fresh })
  const good = sent.filter(({ status }) => status === 200)
  const timesOf = (some: typeof sent) => Float64Array.from(some, ({ milliseconds }) => milliseconds).toSorted()
  const of = (status: number) => sent.filter((one) => one.status === status).length
  const [sorted, answered] = [timesOf(good), timesOf(sent.filter(({ status }) => status !== 0))]
  return {
    load,
    'offered/s': Math.round(perSecond),
    'sent/s': Math.round(sent.length / seconds),
    '200/s': Math.round(good.length / seconds),
    503: of(503),
    'no answer': of(0),
    other: sent.length - good.length - of(503) - of(0),
    unsent,
    p50: Math.round(percentile(sorted, 0.5)),
    p99: Math.round(percentile(sorted, 0.99)),
    'slowest 200': Math.round(percentile(sorted, 1)),
    'latest answer': Math.round(percentile(answered, 1)),
    '200/CPU-s': Math.round(good.length / (cpuSeconds(bed.pid()) - before)),
  }
}

try {
  await capacity(10_000)
  for (const count of [256, 1000]) {
    const bursts = []
    for (let round = 0; round < BURSTS; round++)
      bursts.push(await burst(bed.port(), { connections: count, requests: Array.from({ length: 8 * count }, next) }))
    console.log(`${count} connections at once, each sends its next request once it has its answer:`)
    table(bursts)
  }
  // measured again before each load, because two seconds may be slower or faster than the next on a shared machine
  const capacities: number[] = []
  const rows = []
  for (const [name, times, fresh] of [
    ['half', 0.5, false],
    ['× 3', 3, false],
    ['× 10', 10, false],
    ['half again', 0.5, false],
    ['× 3, new connections', 3, true],
    ['× 10, new connections', 10, true],
  ] as const) {
    capacities.push(await capacity(20_000))
    rows.push(await offer(name, median(capacities) * times, fresh))
  }
  console.log(`Capacity with ${AT_ONCE} connections, a second: ${capacities.map(Math.round).join(', ')}`)
  table(rows)
  if (options.json) write({ machine: machine(), capacities, rows }, options.json)
} finally {
  await bed.close()
}
process.exit(0)
