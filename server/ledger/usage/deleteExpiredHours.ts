import type { Db } from '../../kit/transact.ts'
import { HOURS_KEPT } from './period.ts'

const CHUNK = 5000

/** Deletes hourly counts older than `HOURS_KEPT`; the daily counts remain. Returns how many counts were deleted. */
export async function deleteExpiredHours({ prisma }: Db): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await prisma.$executeRaw`
      delete from usage_hour where (tenant_id, measure, hour, site_id, label) in (
        select u.tenant_id, u.measure, u.hour, u.site_id, u.label from tenant t
        cross join unnest(enum_range(null::usage_measure)) m
        cross join lateral (
          select * from usage_hour x
          where x.tenant_id = t.id and x.measure = m and x.hour < now() - make_interval(secs => ${HOURS_KEPT}) limit ${CHUNK}
        ) u
        limit ${CHUNK}
      )`
    total += deleted
    if (deleted < CHUNK) return total
  }
}
