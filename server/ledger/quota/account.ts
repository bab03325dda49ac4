import type { Db } from '../../kit/db/transact.ts'

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

/** Decisions that one statement counts: those of the largest tenants take longer together than a statement may. */
export const PAGE = 100_000

/** What is counted already: `counts` of all decisions that were redeemed before `until`, a time in the form of PostgreSQL. */
type Counted = { until: string; counts: Count[] }

/** Before the first decision: only what was archived. */
async function archived({ prisma }: Db, tenant: string): Promise<Counted> {
  const counts = await prisma.$queryRaw<Count[]>`
    select month::text as month, charged_to::text as charged_to, n::float8 as n from archived_decisions
    where tenant_id = ${tenant}::uuid`
  return { until: '-infinity', counts }
}

/** What the last comparison has counted; undefined without one. */
async function checkpoint({ prisma }: Db, tenant: string): Promise<Counted | undefined> {
  const [row] = await prisma.$queryRaw<Counted[]>`
    select until::text as until, counts from reconciliation_checkpoint where tenant_id = ${tenant}::uuid`
  return row
}

/** The same with the next settled decisions, `page` of them or a few more; undefined if fewer are left. */
async function nextPage({ prisma }: Db, tenant: string, from: Counted, page: number): Promise<Counted | undefined> {
  const [next] = await prisma.$queryRaw<Counted[]>`
    with edge as (
      select redeemed_at as at from decision
      where tenant_id = ${tenant}::uuid and redeemed_at > ${from.until}::timestamptz
      order by redeemed_at offset ${page}::int limit 1
    ), counted as (
      select date_trunc('month', redeemed_at at time zone 'utc')::date as month, charged_to, count(*) as n from decision
      where tenant_id = ${tenant}::uuid and redeemed_at >= ${from.until}::timestamptz and redeemed_at < (select at from edge)
      group by 1, 2
    )
    select at::text as until, coalesce((select jsonb_agg(to_jsonb(c)) from counted c), '[]') as counts
    from edge where at < now() - ${SETTLED}::interval`
  return next && { until: next.until, counts: [...from.counts, ...next.counts] }
}

/**
 * A tenant's account: continued from the last comparison, or with `all` counted from the first decision on. Belongs in one
 * snapshot, so that nothing is archived between its statements.
 */
export async function accountOf(
  ctx: Db,
  tenant: string,
  { all, page }: { all: boolean; page: number },
): Promise<Account> {
  let counted = (all ? undefined : await checkpoint(ctx, tenant)) ?? (await archived(ctx, tenant))
  for (let next: Counted | undefined = counted; next; next = await nextPage(ctx, tenant, counted, page)) counted = next
  return compared(ctx, tenant, counted)
}

/** Counts the decisions that are left, and compares all with the charges. */
async function compared({ prisma }: Db, tenant: string, { until, counts }: Counted): Promise<Account> {
  const [row] = await prisma.$queryRaw<Account[]>`
    with since as (
      select ${until}::timestamptz as at
    ), earlier as (
      select month, charged_to, n
      from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as e(month date, charged_to charged_to, n bigint)
    ), settled as (
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
