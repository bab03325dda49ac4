import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sweepIntents } from '../../../server/captcha/intents/sweep.ts'
import { paced } from '../../../server/kit/process/pace.ts'
import { reconcile } from '../../../server/ledger/quota/reconcile.ts'
import { deleteExpiredHours } from '../../../server/ledger/usage/deleteExpiredHours.ts'
import { repairUsage } from '../../../server/ledger/usage/repair.ts'
import { fill } from '../insight/fill.ts'
import { measure } from '../insight/measure.ts'
import { readsOf } from '../insight/reads.ts'
import { connectAll } from '../load/closed.ts'
import { type Bed, openBed, type Site } from './bed.ts'
import { compareRounds } from './compare.ts'
import { measureFlow } from './flow.ts'
import { createMeter, type Meter, type Row, rowsOf, type Slice } from './measure.ts'
import { table } from './report.ts'

const MILLION = 1_000_000
const CONNECTIONS = 64
const ROUNDS = 12
const TENANTS = 8
const READS = 40

type Variant = 'empty' | 'large' | 'large, with jobs'

/** How often jobs have run in all rounds, how often each, and what it did. */
type Jobs = { runs: number; sweeps: number; intents: number; repairs: number; reconciliations: number; failed: number }

/**
 * Two services with a database each, one of them filled with `millions` of intents and of decisions, are measured in turn: what
 * disturbs the machine meets all of them alike. In each round the large one is measured twice, the second time while the jobs
 * of the service run. `data`: a directory that keeps the filled database for the next run.
 */
export async function measureLarge(
  empty: Bed,
  { millions, requests, data }: { millions: number; requests: number; data?: string },
) {
  const large = await openBed(data === undefined ? {} : { dataDir: data })
  try {
    const { decisions, intents } = await filled(large, millions)
    // as after a deployment: the statements are planned with what the tables are now
    await large.restart()
    const slices = await measureRounds(empty, large, requests)
    // before what may fail
    table(slices.rows)
    table(slices.ratios)
    const { ctx } = large.service
    const reads: object[] = []
    const sql = new pg.Pool({ connectionString: large.ownerUrl, max: 2 })
    try {
      for (const one of await readsOf(ctx, sql)) reads.push(await measure(sql, one, READS))
    } finally {
      await sql.end()
    }
    const all = await timed(() => reconcile(ctx, { full: true }))
    const newer = await timed(() => reconcile(ctx))
    return {
      intents,
      decisions,
      ...slices,
      reads,
      reconcileSeconds: { all: all.seconds, newer: newer.seconds },
      mismatches: all.out.mismatches.length + newer.out.mismatches.length,
    }
  } finally {
    await large.close()
  }
}

async function timed<Out>(work: () => Promise<Out>): Promise<{ out: Out; seconds: number }> {
  const began = performance.now()
  const out = await work()
  return { out, seconds: (performance.now() - began) / 1000 }
}

/** Fills the database of a bed, unless an earlier run has; returns how much is in it. */
async function filled(bed: Bed, millions: number): Promise<{ decisions: number; intents: number }> {
  const sql = new pg.Pool({ connectionString: bed.ownerUrl, max: 2 })
  const { rows } = await sql.query<{ done: boolean }>(`select to_regclass('bench_filled') is not null as done`)
  if (rows[0]?.done !== true) {
    const size = millions * MILLION
    await fill(sql, { intents: size, decisions: size, refusals: size / 10, tenants: 200 }, console.log)
    await repairUsage(bed.service.ctx, 31 * 24)
    await deleteExpiredHours(bed.service.ctx)
    await sql.query('vacuum analyze')
    await sql.query('create table bench_filled as select true as done')
  }
  const counts = await sql.query<{ decisions: number; intents: number }>(
    'select (select count(*) from decision)::float8 as decisions, (select count(*) from intent)::float8 as intents',
  )
  await sql.end()
  return counts.rows[0] ?? { decisions: 0, intents: 0 }
}

async function measureRounds(empty: Bed, large: Bed, requests: number) {
  const side = async (bed: Bed) => {
    const sites = await Promise.all(Array.from({ length: TENANTS }, (_, i) => bed.addSite(`Shop ${i}`)))
    return { bed, sites, meter: createMeter(bed.postmaster) }
  }
  const flow = async (
    meter: Meter,
    { bed, sites }: { bed: Bed; sites: readonly Site[] },
    count: number,
    round: number,
  ) => {
    // the service closes connections that are idle for long
    const connections = await connectAll(bed.port(), CONNECTIONS)
    await measureFlow(meter, { bed, sites, connections, count, round })
    for (const connection of connections) connection.close()
  }
  const sides = { empty: await side(empty), large: await side(large) }
  const withJobs = createMeter(large.postmaster)
  const jobs: Jobs = { runs: 0, sweeps: 0, intents: 0, repairs: 0, reconciliations: 0, failed: 0 }
  const count = Math.ceil(requests / ROUNDS)

  // warms up the JIT and the caches, as in a running service
  for (const each of Object.values(sides)) {
    for (let i = 0; i < 3; i++) await flow(each.meter, each, 2000, i)
    each.meter.slices.length = 0
  }
  for (let round = 0; round < ROUNDS; round++) {
    const turns = [
      () => flow(sides.empty.meter, sides.empty, count, round),
      () => flow(sides.large.meter, sides.large, count, round),
      () => whileJobsRun(large, jobs, () => flow(withJobs, sides.large, count, round)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  const variants: [Variant, Slice[]][] = [
    ['empty', sides.empty.meter.slices],
    ['large', sides.large.meter.slices],
    ['large, with jobs', withJobs.slices],
  ]
  const rows = variants.flatMap(([variant, slices]): (Row & { variant: Variant })[] =>
    rowsOf(slices).map((row) => ({ variant, ...row })),
  )
  return {
    rows,
    ratios: variants
      .slice(1)
      .flatMap(([variant, slices]) =>
        compareRounds(slices, sides.empty.meter.slices).map((ratio) => ({ variant, ...ratio })),
      ),
    jobs,
  }
}

/** Runs the jobs of the service one after the other until `load` has ended, each at its pace; the next round continues with the next job. */
async function whileJobsRun({ service: { ctx } }: Bed, jobs: Jobs, load: () => Promise<void>): Promise<void> {
  const stopped = new AbortController()
  const running = (async () => {
    const next = [
      async () => void ((jobs.repairs += 1), await repairUsage(ctx, 3, paced)),
      async () => void ((jobs.reconciliations += 1), await reconcile(ctx, { pace: paced })),
      async () => {
        jobs.sweeps += 1
        jobs.intents += await sweepIntents(ctx, paced, stopped.signal)
      },
    ]
    for (; !stopped.signal.aborted; jobs.runs++) {
      try {
        await next[jobs.runs % next.length]?.()
      } catch {
        // as in the service, whose runner tries it again later
        jobs.failed += 1
      }
      await sleep(10)
    }
  })()
  await load()
  stopped.abort()
  await running
}
