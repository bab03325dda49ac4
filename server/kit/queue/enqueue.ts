import type { JobName, Payload } from '../../contract/jobs.ts'
import type { Db } from '../db/transact.ts'

/**
 * Enqueues a job in the transaction of `ctx`: it runs after the commit, on one node, and never if the transaction rolls back.
 * A run that fails is repeated, 25 times within four days, so a job has to bear being repeated; then it waits for staff on the
 * page Failed jobs. `key`: of jobs with the same key, one waits at a time, with the last payload. `queue`: jobs of a queue run one
 * after another. `at`: not before.
 */
export const enqueue = <Name extends JobName>(
  ctx: Db,
  name: Name,
  payload: Payload<Name>,
  { key, queue, at }: { key?: string; queue?: string; at?: Date } = {},
): Promise<void> => addJobs(ctx, [{ identifier: name, payload, job_key: key, queue_name: queue, run_at: at }])

/** The same for several jobs, in one statement. */
export const enqueueAll = <Name extends JobName>(
  ctx: Db,
  name: Name,
  payloads: readonly Payload<Name>[],
): Promise<void> =>
  addJobs(
    ctx,
    payloads.map((payload) => ({ identifier: name, payload })),
  )

/** Some of the fields of graphile-worker's `job_spec`. */
type JobSpec = {
  identifier: string
  payload: object
  job_key?: string | undefined
  queue_name?: string | undefined
  run_at?: Date | undefined
}

async function addJobs({ prisma }: Db, specs: JobSpec[]): Promise<void> {
  if (specs.length === 0) return
  await prisma.$executeRaw`
    select graphile_worker.add_jobs(array_agg(spec))
    from json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json) as spec`
}
