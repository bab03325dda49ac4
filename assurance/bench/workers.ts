/**
 * What two processes of a node answer beside one: two services, with WORKERS=1 and WORKERS=N, each with a PostgreSQL of its own, are
 * measured in turn with 64 connections for each process, so that the processes have batches of the same size. The load generator
 * and PostgreSQL need the same cores. So one process is measured twice: on all cores, where the others run beside it, and with
 * PostgreSQL and the generator on a single core, which shows what a core more is worth. Linux only.
 *
 *   npm run bench:workers [-- --workers 2] [--connections 64] [--requests 72000] [--json FILE]
 */
import { parseArgs } from 'node:util'
import { allowedCores, runOn } from './cpu.ts'
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

const ALL = allowedCores()
const [FIRST = '0'] = /^\d+/.exec(ALL) ?? []

async function open(workers: string) {
  const bed = await openBed({ settings: { WORKERS: workers } })
  const sites = await Promise.all(Array.from({ length: TENANTS }, (_, i) => bed.addSite(`Shop ${i}`)))
  return {
    bed,
    /** Measures a round on all cores or on one: the service, its PostgreSQL and the load generator. */
    of(cores: string) {
      const meter = createMeter(bed.postmaster)
      return {
        slices: meter.slices,
        async measure(round: number, requests: number) {
          runOn(cores, [bed.pid(), bed.postmaster, process.pid])
          const connections = await connectAll(bed.port(), Number(options.connections) * Number(workers))
          await measureFlow(meter, { bed, sites, connections, count: requests, round })
          for (const connection of connections) connection.close()
        },
      }
    },
  }
}

const single = await open('1')
const pair = await open(options.workers)
const [one, onOneCore, several] = [single.of(ALL), single.of(FIRST), pair.of(ALL)]
const all = [one, several, onOneCore]
try {
  // warms up the JIT, in each process
  for (const each of [one, several, several]) await each.measure(0, 4000)
  for (const each of all) each.slices.length = 0
  for (let round = 0; round < ROUNDS; round++)
    for (const each of round % 2 === 0 ? all : all.toReversed()) await each.measure(round, count)

  const workers = Number(options.workers)
  const rows = [
    ...rowsOf(one.slices).map((row) => ({ workers: 1, cores: ALL, ...row })),
    ...rowsOf(onOneCore.slices).map((row) => ({ workers: 1, cores: FIRST, ...row })),
    ...rowsOf(several.slices).map((row) => ({ workers, cores: ALL, ...row })),
  ]
  const ratios = compareRounds(several.slices, one.slices).map((ratio) => ({
    ...ratio,
    // if the processes were all that the cores had to run
    projected: workers / ratio.node,
  }))
  const toOneCore = compareRounds(several.slices, onOneCore.slices)
  table(rows)
  console.log(`${workers} processes beside one, on the same cores:`)
  table(ratios)
  console.log(`${workers} processes beside one that shares a single core with PostgreSQL and the load generator:`)
  table(toOneCore)
  if (options.json) write({ machine: machine(), rows, ratios, toOneCore }, options.json)
} finally {
  await single.bed.close()
  await pair.bed.close()
}
process.exit(0)
