import type { Db } from '../../kit/db/transact.ts'
import { type Forecast, forecast, LOOK_BACK_DAYS } from './forecast.ts'

export type Meter = {
  /** First day of the current month, UTC, as `2026-11-01`. */
  month: string
  /** Units. */
  included: number
  used: number
  balance: number
  /** Forecast of units charged to quota and balance by the end of the month; null until there is one complete day. */
  forecast: Forecast | null
}

type Row = {
  month: string
  included: number
  used: number
  balance: number
  from_balance: number
  left: number
  days: number[]
}

/** The units that the tenant has left: the month's quota, then the balance, by the database's clock. */
export async function meter(ctx: Db, tenant: { id: string }): Promise<Meter> {
  const [row] = await ctx.prisma.$queryRaw<Row[]>`
    select utc_month()::text as month, coalesce(q.included, t.monthly_quota)::float8 as included,
      coalesce(q.used, 0)::float8 as used, coalesce(b.units, 0)::float8 as balance,
      -- with a condition on the label, PostgreSQL 18 read the month of all tenants on a large table
      (select coalesce(sum(n) filter (where label = 'balance'), 0)::float8 from usage_day
        where tenant_id = t.id and day >= utc_month() and measure = 'redeemed') as from_balance,
      (extract(epoch from (utc_month() + interval '1 month') - (now() at time zone 'utc')) / 86400)::float8 as left,
      -- complete days, from the first with a redemption
      array(
        select coalesce(sum(u.n), 0)::float8
        from generate_series(
          (select min(day) from usage_day
            where tenant_id = t.id and day >= (now() at time zone 'utc')::date - ${LOOK_BACK_DAYS}::int and measure = 'redeemed'),
          (now() at time zone 'utc')::date - 1, interval '1 day') as d(day)
        left join usage_day u on u.tenant_id = t.id and u.day = d.day::date and u.measure = 'redeemed'
        group by d.day order by d.day
      ) as days
    from tenant t
    left join quota_period q on q.tenant_id = t.id and q.month = utc_month()
    left join balance b on b.tenant_id = t.id
    where t.id = ${tenant.id}::uuid`
  if (!row) throw new Error('the tenant has no row')
  const { month, included, used, balance, from_balance, left, days } = row
  return { month, included, used, balance, forecast: forecast(used + from_balance, days, left) }
}
