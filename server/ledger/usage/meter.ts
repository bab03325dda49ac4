import type { Writing } from '../../kit/transact.ts'

export type Meter = {
  /** First day of the current month, UTC, as `2026-11-01`. */
  month: string
  /** Units. */
  included: number
  used: number
  balance: number
  /** Units by the end of the month if it goes on like this; null in the month's first day. */
  forecast: number | null
}

type Row = { month: string; included: number; used: number; balance: number; share: number; begun: boolean }

/** What the tenant has left: the month's included units, then the balance. Judged by the database's clock. */
export async function meter(ctx: Writing, tenant: { id: string }): Promise<Meter> {
  const [row] = await ctx.prisma.$queryRaw<Row[]>`
    select utc_month()::text as month, coalesce(q.included, t.monthly_quota)::float8 as included,
      coalesce(q.used, 0)::float8 as used, coalesce(b.units, 0)::float8 as balance,
      (extract(epoch from m.elapsed) / extract(epoch from m.whole))::float8 as share,
      m.elapsed >= interval '1 day' as begun
    from tenant t
    left join quota_period q on q.tenant_id = t.id and q.month = utc_month()
    left join balance b on b.tenant_id = t.id
    cross join lateral (
      select (now() at time zone 'utc') - utc_month() as elapsed,
        (utc_month() + interval '1 month') - utc_month()::timestamp as whole
    ) m
    where t.id = ${tenant.id}::uuid`
  if (!row) throw new Error('the tenant has no row')
  const { month, included, used, balance, share, begun } = row
  return { month, included, used, balance, forecast: begun ? Math.round(used / share) : null }
}
