import { AppError } from '../../../kit/error.ts'
import type { StaffCtx } from '../../access.ts'
import { change } from '../../change.ts'

type Job = { id: string }

/** Runs a failed job again now, with all its attempts. Throws AppError. */
export const retryJob = (ctx: StaffCtx, { id }: Job): Promise<Job> =>
  decide(
    ctx,
    { id, action: 'job.retry' },
    ({ prisma }) => prisma.$queryRaw`
      select id::text as id from graphile_worker.reschedule_jobs(
        array(select id from graphile_worker.jobs where id = ${id}::bigint and last_error is not null),
        run_at => now(), attempts => 0)`,
  )

/** Deletes a failed job, which will not run again. Throws AppError. */
export const deleteJob = (ctx: StaffCtx, { id }: Job): Promise<Job> =>
  decide(
    ctx,
    { id, action: 'job.delete' },
    ({ prisma }) => prisma.$queryRaw`
      select id::text as id from graphile_worker.complete_jobs(
        array(select id from graphile_worker.jobs where id = ${id}::bigint and last_error is not null))`,
  )

/** `act` returns the job if it changed it: graphile-worker leaves a job alone while it runs. */
function decide(
  ctx: StaffCtx,
  { id, action }: Job & { action: string },
  act: (ctx: StaffCtx) => Promise<Job[]>,
): Promise<Job> {
  return change(ctx, async (ctx) => {
    const [job] = await ctx.prisma.$queryRaw<{ task: string; attempts: number }[]>`
      select task_identifier as task, attempts::int as attempts from graphile_worker.jobs where id = ${id}::bigint`
    const [changed] = await act(ctx)
    if (!job || !changed) throw new AppError('job-not-failed')
    return { out: { id }, change: { tenantId: null, action, target: id, after: job } }
  })
}
