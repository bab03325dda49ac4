import type { Db } from '../../kit/transact.ts'

export type Month = {
  /** First day of the month, UTC, as `2026-11-01`. */
  month: string
  /** Units of the plan. */
  included: number
  /** Of those, how many were used; what went beyond came from the balance. */
  used: number
  /** Units added to the balance in that month, less those taken away. */
  added: number
}

/** Two years: what anybody still asks about. */
const MONTHS_MAX = 24

/** What was included and used in each month, and added to the balance, the newest first; months without any are left out. */
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
