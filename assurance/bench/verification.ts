/**
 * The cost of a verification: CPU seconds per 1,000 requests of each endpoint, for Node.js and PostgreSQL separately, and the
 * times of the replies, on a service and a PostgreSQL of their own with durable settings. Bare node:http and Fastify are
 * measured in the same run, because only ratios carry over to another machine. Linux only.
 *
 *   npm run bench [-- --requests 12000] [--concurrency 1,16,64,256] [--json FILE] [--profile DIRECTORY]
 *   npm run bench -- --large [--millions 10] [--requests 60000] [--data DIRECTORY] [--json FILE]
 */
import { parseArgs } from 'node:util'
import { reconcile } from '../../server/ledger/quota/reconcile.ts'
import { memory } from './cpu.ts'
import { openBed } from './verification/bed.ts'
import { measureLarge } from './verification/large.ts'
import { measureLevels } from './verification/levels.ts'
import { ratiosOf, rowsOf } from './verification/measure.ts'
import { compare, machine, table, write } from './verification/report.ts'
import { measureHalfLoad, measureHotTenant, measureNoisyNeighbour } from './verification/tenants.ts'

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string' },
    concurrency: { type: 'string', default: '1,16,64,256' },
    large: { type: 'boolean', default: false },
    millions: { type: 'string', default: '10' },
    data: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
})
// rounds of some seconds each
const requests = Number(options.requests ?? (options.large ? 60_000 : 12_000))
const levels = options.concurrency.split(',').map(Number)
/** Tenants that the load is spread over, each with one site. */
const TENANTS = 8

const bed = await openBed(options.profile === undefined ? {} : { profile: options.profile })
const sites = await Promise.all(Array.from({ length: TENANTS }, (_, i) => bed.addSite(`Shop ${i}`)))

async function measureAll() {
  const slices = await measureLevels(bed, sites, { levels, requests })
  const rows = rowsOf(slices)
  const ratios = levels.map((concurrency) => ratiosOf(slices, concurrency))
  table(rows)
  table(ratios)
  const hotTenant = await measureHotTenant(bed, sites, requests)
  table(hotTenant.rows)
  console.log(`One tenant reaches ${(100 * hotTenant.oneToMany).toFixed(0)} % of the rate of ${TENANTS}.`)
  const [quiet] = sites
  if (!quiet) throw new Error('no sites')
  const noisyNeighbour = await measureNoisyNeighbour(bed, quiet)
  table(noisyNeighbour.measured)
  const times = (ratio: number) => `${ratio.toFixed(2)} times`
  for (const [name, { ofAlone, ofHealth }] of [
    ['median', noisyNeighbour.p50],
    ['99th percentile', noisyNeighbour.p99],
  ] as const)
    console.log(
      `Beside a tenant that sends 20 times what it may, another's ${name} is ${times(ofHealth)} as long as beside as many requests of /healthz, and ${times(ofAlone)} as long as alone.`,
    )
  const halfLoad = await measureHalfLoad(bed, sites, requests)
  console.log('/siteverify at half load, an open loop, in milliseconds:')
  table(halfLoad.rounds)
  const { p50, p99, max } = halfLoad
  console.log(
    `Medians of the rounds: ${p50.toFixed(1)} and, at the 99th percentile, ${p99.toFixed(1)}; at most ${max.toFixed(1)}.`,
  )
  const result = { machine: machine(), rows, ratios, hotTenant, noisyNeighbour, halfLoad, memory: memory(bed.pid()) }
  console.log('Memory of the service in MB:', result.memory)
  compare(result)
  if (options.json) write(result, options.json)
}

async function measureLargeTables() {
  const { millions, data } = options
  const result = await measureLarge(bed, { millions: Number(millions), requests, ...(data && { data }) })
  table(result.reads)
  console.log('While it was measured, the jobs ran:', result.jobs)
  console.log('Seconds of a comparison of charges and decisions:', result.reconcileSeconds)
  if (options.json) write({ machine: machine(), ...result }, options.json)
  if (result.mismatches > 0)
    throw new Error(`${result.mismatches} charges do not match the decisions of the large database`)
}

let isExact = false
try {
  await (options.large ? measureLargeTables() : measureAll())
  const { mismatches, decisions } = await reconcile(bed.service.ctx)
  console.log(`${decisions} decisions, ${mismatches.length} mismatches`)
  isExact = mismatches.length === 0
} finally {
  await bed.close()
}
process.exit(isExact ? 0 : 1)
