import type { Writing } from '../../kit/transact.ts'

/** A tenant's account that does not add up. */
export type Mismatch = {
  tenant_id: string
  month: string | null
  kind: 'quota' | 'balance'
  charged: string
  expected: string
}

export type Reconciliation = { tenants: number; decisions: number; mismatches: Mismatch[] }

/**
 * Holds the charges against the decisions, in one snapshot: units used = decisions charged to the month's quota, per
 * tenant and month; balance = sum of entries − decisions charged to it, per tenant.
 */
export async function reconcile(ctx: Writing): Promise<Reconciliation> {
  const mismatches = await ctx.prisma.$queryRaw<Mismatch[]>`
    with by_quota as (
      select tenant_id, date_trunc('month', redeemed_at at time zone 'utc')::date as month, count(*) as n
      from decision where charged_to = 'quota' group by 1, 2
    ), by_balance as (
      select tenant_id, count(*) as n from decision where charged_to = 'balance' group by 1
    ), entries as (
      select tenant_id, sum(units) as n from balance_entry group by 1
    )
    select tenant_id, month::text as month, 'quota' as kind, coalesce(q.used, 0)::text as charged, coalesce(d.n, 0)::text as expected
    from quota_period q full join by_quota d using (tenant_id, month) where coalesce(q.used, 0) <> coalesce(d.n, 0)
    union all
    select tenant_id, null, 'balance', coalesce(b.units, 0)::text, (coalesce(e.n, 0) - coalesce(d.n, 0))::text
    from balance b full join entries e using (tenant_id) full join by_balance d using (tenant_id)
    where coalesce(b.units, 0) <> coalesce(e.n, 0) - coalesce(d.n, 0)
    order by 1, 2`
  const [counts] = await ctx.prisma.$queryRaw<{ tenants: number; decisions: number }[]>`
    select (select count(*) from tenant)::float8 as tenants, (select count(*) from decision)::float8 as decisions`
  return { tenants: counts?.tenants ?? 0, decisions: counts?.decisions ?? 0, mismatches }
}
