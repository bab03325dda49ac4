/**
 * What two processes of a node answer beside one: two services, with WORKERS=1 and WORKERS=N, each with a PostgreSQL of its own, are
 * measured in turn with 64 connections for each process, so that the processes have batches of the same size. The load generator
 * and PostgreSQL need the same cores, so the rate of N processes is less than on a machine where they do not; the CPU per
 * request shows what the processes cost each other. Linux only.
 *
 *   npm run bench:workers [-- --workers 2] [--connections 64] [--requests 72000] [--json FILE]
 */
import { parseArgs } from 'node:util'
import { connectAll } from './load/closed.ts'
import { openBed } from './verification/bed.ts'
import { compareRounds } from './verification/compare.ts'
import { measureFlow } from './verification/flow.ts'
import { createMeter, rowsOf } from './verification/measure.ts'
import { machine, table, write } from './verification/report.ts'

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    /** Of each process. */
    connections: { type: 'string', default: '64' },
    requests: { type: 'string', default: '72000' },
    json: { type: 'string' },
  },
})
const ROUNDS = 12
const TENANTS = 8
const count = Math.ceil(Number(options.requests) / ROUNDS)

async function open(workers: string) {
  const bed = await openBed({ settings: { WORKERS: workers } })
  const sites = await Promise.all(Array.from({ length: TENANTS }, (_, i) => bed.addSite(`Shop ${i}`)))
  const meter = createMeter(bed.postmaster)
  return {
    bed,
    slices: meter.slices,
    async measure(round: number, requests: number) {
      const connections = await connectAll(bed.port(), Number(options.connections) * Number(workers))
      await measureFlow(meter, { bed, sites, connections, count: requests, round })
      for (const connection of connections) connection.close()
    },
  }
}

const one = await open('1')
const several = await open(options.workers)
try {
  // warms up the JIT, in each process
  for (const each of [one, several, several]) await each.measure(0, 4000)
  for (const each of [one, several]) each.slices.length = 0
  for (let round = 0; round < ROUNDS; round++)
    for (const each of round % 2 === 0 ? [one, several] : [several, one]) await each.measure(round, count)

  const rows = [
    ...rowsOf(one.slices).map((row) => ({ workers: 1, ...row })),
    ...rowsOf(several.slices).map((row) => ({ workers: Number(options.workers), ...row })),
  ]
  const ratios = compareRounds(several.slices, one.slices).map((ratio) => ({
    ...ratio,
    // if the processes were all that the cores had to run
    projected: Number(options.workers) / ratio.node,
  }))
  table(rows)
  table(ratios)
  if (options.json) write({ machine: machine(), rows, ratios }, options.json)
} finally {
  await one.bed.close()
  await several.bed.close()
}
process.exit(0)
