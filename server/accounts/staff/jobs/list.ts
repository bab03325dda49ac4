import type { StaffCtx } from '../../access.ts'
import { recordStaffRead } from '../recordRead.ts'

/** Times are Unix seconds. */
export type FailedJob = {
  id: string
  task: string
  /** Of an e-mail. */
  email: { to: string; subject: string } | null
  tenant: { id: string; name: string } | null
  attempts: number
  maxAttempts: number
  error: string
  createdAt: number
  /** Null after the last attempt. */
  nextAt: number | null
}

type Row = Omit<FailedJob, 'email' | 'tenant'> & {
  to: string | null
  subject: string | null
  tenantId: string | null
  tenantName: string | null
}

const MOST = 100

/** Jobs whose last run failed, newest failure first, at most 100, and how many there are. The read is recorded if there are any. */
export async function listFailedJobs(ctx: StaffCtx): Promise<{ rows: FailedJob[]; total: number }> {
  const [rows, [count]] = await Promise.all([
    ctx.prisma.$queryRaw<Row[]>`
      select j.id::text as id, k.identifier as task, j.payload->>'to' as "to", j.payload->>'subject' as subject,
        t.id::text as "tenantId", t.name as "tenantName", j.attempts::int as attempts, j.max_attempts::int as "maxAttempts",
        left(j.last_error, 500) as error, floor(extract(epoch from j.created_at))::float8 as "createdAt",
        case when j.attempts < j.max_attempts then floor(extract(epoch from j.run_at))::float8 end as "nextAt"
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks k on k.id = j.task_id
      left join tenant t on t.id = (j.payload->>'tenant')::uuid
      where j.last_error is not null order by j.updated_at desc limit ${MOST}`,
    ctx.prisma.$queryRaw<{ n: number }[]>`
      select count(*)::int as n from graphile_worker.jobs where last_error is not null`,
  ])
  if (rows.length > 0) await recordStaffRead(ctx, { action: 'staff.list', target: 'failed jobs' })
  return {
    rows: rows.map(({ to, subject, tenantId, tenantName, ...job }) => ({
      ...job,
      email: to === null || subject === null ? null : { to, subject },
      tenant: tenantId === null || tenantName === null ? null : { id: tenantId, name: tenantName },
    })),
    total: count?.n ?? 0,
  }
}
