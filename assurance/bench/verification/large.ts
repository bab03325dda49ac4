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
import { type Bed, openBed } from './bed.ts'
import { measureInTurn } from './pairs.ts'
import { table } from './report.ts'

const MILLION = 1_000_000
const CONNECTIONS = 64
const READS = 40

/** How many jobs have run in all rounds, and how many of them failed. */
type Jobs = { runs: number; failed: number }

/**
 * Measures two services with a database each in turn, one of them filled with `millions` of intents and of decisions, without and
 * with the jobs of the service beside it; and then the console's reads. `data`: a directory that keeps the filled database for the
 * next run. `readsOnly`: the console's reads alone.
 */
export async function measureLarge(
  empty: Bed,
  { millions, requests, data, readsOnly }: { millions: number; requests: number; data?: string; readsOnly: boolean },
) {
  const large = await openBed(data === undefined ? {} : { dataDir: data })
  const { ctx } = large.service
  const sql = new pg.Pool({ connectionString: large.ownerUrl, max: 2 })
  try {
    await fillOnce(large, sql, millions)
    // as after a deployment: the statements are planned with what the tables are now
    await large.restart()
    const jobs: Jobs = { runs: 0, failed: 0 }
    const of = (name: string, bed: Bed) => ({ name, bed, connections: CONNECTIONS })
    const meanwhile = (load: () => Promise<void>) => whileJobsRun(large, jobs, load)
    const variants = [of('empty', empty), of('large', large), { ...of('large, with jobs', large), meanwhile }]
    const measured = readsOnly ? { rows: [], ratios: [] } : await measureInTurn(variants, requests)
    // before what may fail
    table(measured.rows)
    table(measured.ratios)
    const reads = []
    for (const one of await readsOf(ctx, sql)) reads.push(await measure(sql, one, READS))
    const began = performance.now()
    const { mismatches } = await reconcile(ctx, { full: true })
    const reconcileSeconds = (performance.now() - began) / 1000
    return { ...measured, jobs, reads, reconcileSeconds, mismatches: mismatches.length }
  } finally {
    await sql.end()
    await large.close()
  }
}

/** Fills the database of a bed, unless an earlier run has. */
async function fillOnce({ service: { ctx } }: Bed, sql: pg.Pool, millions: number): Promise<void> {
  const { rows } = await sql.query<{ done: boolean }>(`select to_regclass('bench_filled') is not null as done`)
  if (rows[0]?.done === true) return
  const size = millions * MILLION
  await fill(sql, { intents: size, decisions: size, refusals: size / 10, tenants: 200 }, console.log)
  await repairUsage(ctx, 31 * 24)
  await deleteExpiredHours(ctx)
  await sql.query('vacuum analyze')
  await sql.query('create table bench_filled as select true as done')
}

/** Runs the jobs of the service one after the other until `load` has ended, each at its pace; the next round continues with the next job. */
async function whileJobsRun({ service: { ctx } }: Bed, jobs: Jobs, load: () => Promise<void>): Promise<void> {
  const stopped = new AbortController()
  const all = [
    () => repairUsage(ctx, 3, paced),
    () => reconcile(ctx, { pace: paced }),
    () => sweepIntents(ctx, paced, stopped.signal),
  ]
  const running = (async () => {
    for (; !stopped.signal.aborted; jobs.runs++) {
      try {
        await all[jobs.runs % all.length]?.()
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
