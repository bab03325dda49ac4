import type { Db } from '../../kit/db/transact.ts'

export type Month = {
  /** First day of the month, UTC, as `2026-11-01`. */
  month: string
  /** Units included in the plan. */
  included: number
  /** Included units that were used. Further units were charged to the balance. */
  used: number
  /** Units added to the balance in that month, less those taken away. */
  added: number
}

/** Two years. */
const MONTHS_MAX = 24

/** The units included, used and added to the balance per month, newest first. Months without any are omitted. */
export async function listMonths(ctx: Db, tenant: { id: string }): Promise<Month[]> {
  return ctx.prisma.$queryRaw<Month[]>`
    with added as (
      select date_trunc('month', created_at at time zone 'utc')::date as month, sum(units)::float8 as units
      from balance_entry where tenant_id = ${tenant.id}::uuid group by 1
    ), period as (
      select month, included::float8 as included, used::float8 as used from quota_period where tenant_id = ${tenant.id}::uuid
    )
    select month::text as month, coalesce(p.included, 0) as included, coalesce(p.used, 0) as used, coalesce(a.units, 0) as added
    from period p full join added a using (month)
    order by month desc
    limit ${MONTHS_MAX}`
}
