import type { Db } from '../../kit/db/transact.ts'
import type { Page, PageInput } from '../page.ts'

export type Month = {
  /** First day of the month, UTC, as `2026-11-01`. */
  month: string
  /** Units of the monthly quota. */
  included: number
  /** Included units that were used. Further units were charged to the balance. */
  used: number
  /** Units added to the balance in that month, less those taken away. */
  added: number
}

/**
 * The units included, used and added to the balance per month, newest first, before `cursor` (a month). Months without any are
 * omitted.
 */
export async function listMonths(ctx: Db, tenant: { id: string }, { cursor, limit }: PageInput): Promise<Page<Month>> {
  const read = await ctx.prisma.$queryRaw<Month[]>`
    with added as (
      select date_trunc('month', created_at at time zone 'utc')::date as month, sum(units)::float8 as units
      from balance_entry where tenant_id = ${tenant.id}::uuid group by 1
    ), period as (
      select month, included::float8 as included, used::float8 as used from quota_period where tenant_id = ${tenant.id}::uuid
    )
    select month::text as month, coalesce(p.included, 0) as included, coalesce(p.used, 0) as used, coalesce(a.units, 0) as added
    from period p full join added a using (month)
    where ${cursor ?? null}::date is null or month < ${cursor ?? null}::date
    order by month desc
    limit ${limit + 1}`
  const rows = read.slice(0, limit)
  return { rows, nextCursor: read.length > limit ? (rows.at(-1)?.month ?? null) : null }
}
