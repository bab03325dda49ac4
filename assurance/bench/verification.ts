/**
 * The cost of a verification: CPU seconds per 1,000 requests of each endpoint, for Node.js and PostgreSQL separately, and the
 * times of the replies, on a service and a PostgreSQL of their own with durable settings. Bare Fastify and Cap's server are
 * measured in the same run, because only ratios carry over to another machine. Linux only.
 *
 *   npm run bench [-- --requests 12000] [--concurrency 1,16,64,256] [--json FILE] [--profile DIRECTORY]
 *   npm run bench -- --workers 2 [--requests 72000]         that many processes of a node beside one
 *   npm run bench -- --large [--millions 10] [--requests 60000] [--data DIRECTORY] [--reads]
 *
 * --reads: the console's reads of the large database only.
 */
import { parseArgs } from 'node:util'
import { reconcile } from '../../server/ledger/quota/reconcile.ts'
import { memory } from './cpu.ts'
import { openBed } from './verification/bed.ts'
import { measureHalfLoad } from './verification/half.ts'
import { measureLarge } from './verification/large.ts'
import { measureLevels } from './verification/levels.ts'
import { ratiosOf, rowsOf } from './verification/measure.ts'
import { measureInTurn } from './verification/pairs.ts'
import { machine, table, write } from './verification/report.ts'

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string' },
    concurrency: { type: 'string', default: '1,16,64,256' },
    workers: { type: 'string' },
    large: { type: 'boolean', default: false },
    millions: { type: 'string', default: '10' },
    data: { type: 'string' },
    reads: { type: 'boolean', default: false },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
})
const { workers, large, data, profile } = options
// rounds of some seconds each
const requests = Number(options.requests ?? (large ? 60_000 : workers === undefined ? 12_000 : 72_000))
const levels = options.concurrency.split(',').map(Number)
/** Tenants that the load is spread over, each with one site. */
const TENANTS = 8
/** Of each process of a node, so that all have batches of the same size. */
const CONNECTIONS = 64

const bed = await openBed({ ...(profile !== undefined && { profile }), settings: { WORKERS: '1' } })

async function measureAll() {
  const sites = await Promise.all(Array.from({ length: TENANTS }, (_, i) => bed.addSite(`Shop ${i}`)))
  const slices = await measureLevels(bed, sites, { levels, requests })
  const rows = rowsOf(slices)
  const ratios = levels.map((concurrency) => ratiosOf(slices, concurrency))
  table(rows)
  table(ratios)
  const halfLoad = await measureHalfLoad(bed, sites, requests)
  console.log('/siteverify at half load, an open loop, in milliseconds:')
  table(halfLoad)
  return { machine: machine(), rows, ratios, halfLoad, memory: memory(bed.pid()) }
}

async function measureWorkers(count: number) {
  const several = await openBed({ settings: { WORKERS: String(count) } })
  try {
    const result = await measureInTurn(
      [
        { name: 'one process', bed, connections: CONNECTIONS },
        { name: `${count} processes`, bed: several, connections: count * CONNECTIONS },
      ],
      requests,
    )
    table(result.rows)
    // if the processes were all that the cores had to run
    table(result.ratios.map((ratio) => ({ ...ratio, projected: count / ratio.node })))
    return { machine: machine(), ...result }
  } finally {
    await several.close()
  }
}

async function measureLargeTables() {
  const size = { millions: Number(options.millions), requests, readsOnly: options.reads, ...(data && { data }) }
  const result = await measureLarge(bed, size)
  table(result.reads)
  console.log(
    'Jobs that ran meanwhile:',
    result.jobs,
    'Seconds of a comparison of all charges:',
    result.reconcileSeconds,
  )
  if (result.mismatches > 0) throw new Error(`${result.mismatches} charges do not match the decisions`)
  return { machine: machine(), ...result }
}

let isExact = false
try {
  const result = await (large
    ? measureLargeTables()
    : workers === undefined
      ? measureAll()
      : measureWorkers(Number(workers)))
  if (options.json) write(result, options.json)
  const { mismatches, decisions } = await reconcile(bed.service.ctx)
  console.log(`${decisions} decisions, ${mismatches.length} mismatches`)
  isExact = mismatches.length === 0
} finally {
  await bed.close()
}
process.exit(isExact ? 0 : 1)
