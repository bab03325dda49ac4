import type { Context } from '../../kit/context.ts'

/** Deletes jobs that are not tried again and whose last attempt is older than a setting: payloads and errors can name people. */
export async function deleteAbandonedJobs({ prisma, config }: Pick<Context, 'prisma' | 'config'>): Promise<number> {
  const deleted = await prisma.$queryRaw<{ id: string }[]>`
    select id::text as id from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where attempts >= max_attempts
        and updated_at < now() - make_interval(days => ${config.retention.failedJobDays})))`
  return deleted.length
}
