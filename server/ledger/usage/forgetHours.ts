import type { Writing } from '../../kit/transact.ts'

const CHUNK = 5000

/** Deletes the hours of more than 40 days ago, of which the days remain. Returns how many counts. */
export async function forgetHours({ prisma }: Writing): Promise<number> {
  for (let forgotten = 0; ; ) {
    const deleted = await prisma.$executeRaw`
      delete from usage_hour where (tenant_id, hour, site_id, measure, label) in (
        select u.tenant_id, u.hour, u.site_id, u.measure, u.label from tenant t
        cross join lateral (
          select * from usage_hour x where x.tenant_id = t.id and x.hour < now() - interval '40 days' limit ${CHUNK}
        ) u
        limit ${CHUNK}
      )`
    forgotten += deleted
    if (deleted < CHUNK) return forgotten
  }
}
