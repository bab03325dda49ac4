import { Prisma } from '../../../prisma/client/client.ts'
import type { Db } from '../../kit/transact.ts'

/** A difference between a tenant's charges and its decisions. */
export type Mismatch = {
  tenant_id: string
  month: string | null
  kind: 'quota' | 'balance'
  charged: string
  expected: string
}

/** Decisions of a month. */
type Count = { month: string; charged_to: string; n: number }

/** A tenant's decisions and what differs. `counts`: of those that were redeemed before `until`. */
export type Account = { decisions: number; mismatches: Mismatch[]; until: Date; counts: Count[] }

/**
 * What a checkpoint counts is older than this: a redemption has the time at which its transaction began, and no transaction of
 * the verification path takes more than seconds.
 */
const SETTLED = '1 hour'

const EARLIER = {
  /** All that the last comparison has counted, and the rest from the decisions; nothing at all without a checkpoint. */
  newer: (tenant: string) => Prisma.sql`
    earlier as (
      select e.month, e.charged_to, e.n from reconciliation_checkpoint c
      cross join jsonb_to_recordset(c.counts) as e(month date, charged_to charged_to, n bigint)
      where c.tenant_id = ${tenant}::uuid
    ), since as (
      select coalesce((select until from reconciliation_checkpoint where tenant_id = ${tenant}::uuid), '-infinity') as at
    )`,
  /** What was archived, and all decisions. */
  all: (tenant: string) => Prisma.sql`
    earlier as (select month, charged_to, n from archived_decisions where tenant_id = ${tenant}::uuid),
    since as (select '-infinity'::timestamptz as at)`,
}

/** Reads a tenant's account in one snapshot. */
export async function accountOf({ prisma }: Db, tenant: string, from: keyof typeof EARLIER): Promise<Account> {
  const [row] = await prisma.$queryRaw<Account[]>`
    with ${EARLIER[from](tenant)}, settled as (
      -- whole milliseconds, because a Date has no less; never earlier than the last one, also if the clock was set back
      select greatest(date_trunc('milliseconds', now() - ${SETTLED}::interval), at) as at from since
    ), counted as materialized (
      select d.charged_to, date_trunc('month', d.redeemed_at at time zone 'utc')::date as month,
        d.redeemed_at < settled.at as settled, count(*) as n
      from decision d cross join settled
      where d.tenant_id = ${tenant}::uuid and d.redeemed_at >= (select at from since) group by 1, 2, 3
    ), charged as materialized (
      select charged_to, month, settled, sum(n)::bigint as n from (
        select charged_to, month, settled, n from counted
        union all select charged_to, month, true, n from earlier
      ) t group by 1, 2, 3
    ), mismatches as (
      select ${tenant} as tenant_id, month::text as month, 'quota' as kind,
        coalesce(q.used, 0)::text as charged, coalesce(d.n, 0)::text as expected
      from (select month, used from quota_period where tenant_id = ${tenant}::uuid) q
      full join (select month, sum(n) as n from charged where charged_to = 'quota' group by 1) d using (month)
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
      coalesce((select jsonb_agg(m order by m.kind desc, m.month) from mismatches m), '[]') as mismatches,
      (select at from settled) as until,
      coalesce((
        select jsonb_agg(jsonb_build_object('month', month, 'charged_to', charged_to, 'n', n) order by month, charged_to)
        from charged where settled
      ), '[]') as counts`
  if (!row) throw new Error('an aggregate without a row')
  return row
}
