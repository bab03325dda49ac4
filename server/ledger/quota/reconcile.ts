import type { Db } from '../../kit/transact.ts'

/** A difference between a tenant's charges and its decisions. */
export type Mismatch = {
  tenant_id: string
  month: string | null
  kind: 'quota' | 'balance'
  charged: string
  expected: string
}

export type Reconciliation = { tenants: number; decisions: number; mismatches: Mismatch[] }

/** How many tenants are compared at the same time. */
const TOGETHER = 4

/**
 * Compares the charges with the decisions: units used = decisions charged to the month's quota, per tenant and month;
 * balance = sum of entries − decisions charged to it, per tenant. Each tenant is read in a snapshot of its own, so that no
 * statement has to read all tenants.
 */
export async function reconcile(ctx: Db): Promise<Reconciliation> {
  const tenants = await ctx.prisma.tenant.findMany({ select: { id: true }, orderBy: { id: 'asc' } })
  const found: Account[] = []
  for (let i = 0; i < tenants.length; i += TOGETHER)
    found.push(...(await Promise.all(tenants.slice(i, i + TOGETHER).map(({ id }) => account(ctx, id)))))
  return {
    tenants: tenants.length,
    decisions: found.reduce((sum, { decisions }) => sum + decisions, 0),
    mismatches: found.flatMap(({ mismatches }) => mismatches),
  }
}

type Account = { decisions: number; mismatches: Mismatch[] }

async function account({ prisma }: Db, tenant: string): Promise<Account> {
  const [row] = await prisma.$queryRaw<Account[]>`
    with charged as materialized (
      select charged_to, date_trunc('month', redeemed_at at time zone 'utc')::date as month, count(*) as n
      from decision where tenant_id = ${tenant}::uuid group by 1, 2
    ), mismatches as (
      select ${tenant} as tenant_id, month::text as month, 'quota' as kind,
        coalesce(q.used, 0)::text as charged, coalesce(d.n, 0)::text as expected
      from (select month, used from quota_period where tenant_id = ${tenant}::uuid) q
      full join (select month, n from charged where charged_to = 'quota') d using (month)
      where coalesce(q.used, 0) <> coalesce(d.n, 0)
      union all
      select ${tenant}, null, 'balance', b.units::text, b.expected::text
      from (
        select coalesce((select units from balance where tenant_id = ${tenant}::uuid), 0) as units,
          coalesce((select sum(units) from balance_entry where tenant_id = ${tenant}::uuid), 0)
            - coalesce((select sum(n) from charged where charged_to = 'balance'), 0) as expected
      ) b
      where b.units <> b.expected
    )
    select coalesce((select sum(n) from charged), 0)::float8 as decisions,
      coalesce((select jsonb_agg(m order by m.kind desc, m.month) from mismatches m), '[]') as mismatches`
  if (!row) throw new Error('an aggregate without a row')
  return row
}
