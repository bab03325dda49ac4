import type { Db } from '../../kit/db/transact.ts'
import { siteNames } from '../siteNames.ts'
import { groupBy } from './groupBy.ts'

/** Units of a site on a day, UTC, by what they were charged to. `name`: null for a site whose name is not known. */
export type StatementLine = { day: string; site: string; name: string | null; quota: number; balance: number }

/** Units added to the balance; negative: removed. `createdAt`: Unix seconds. `undoes`: the id of the entry that it undoes. */
export type StatementEntry = { id: string; units: number; reason: string; createdAt: number; undoes: string | null }

export type Statement = {
  /** First day of the month, UTC, as `2026-11-01`. */
  month: string
  /** Whether the month is over and the statement is final. */
  over: boolean
  tenant: { name: string; slug: string }
  included: number
  /** Units charged: to the quota and to the balance. Each is one decision. */
  quota: number
  balance: number
  /** The balance when the month began, and when it ended or now: `opening` + the entries − `balance` = `closing`. */
  opening: number
  closing: number
  /** Oldest first. */
  entries: StatementEntry[]
  lines: StatementLine[]
}

type Head = { name: string; slug: string; included: number; used: number; now: number; next: string; over: boolean }

/**
 * The month's units by day and site; each unit is one decision. They are read from the counts and compared with the
 * ledger; if a completed month differs, they are counted again from the decisions, except those of archived days, whose counts
 * were corrected before. Null for a month in which the tenant had no account.
 */
export async function statement(ctx: Db, tenant: { id: string }, month: string): Promise<Statement | null> {
  const [head] = await ctx.prisma.$queryRaw<Head[]>`
    select t.name, t.slug, coalesce(q.included, t.monthly_quota)::float8 as included, coalesce(q.used, 0)::float8 as used,
      coalesce(b.units, 0)::float8 as now, (${month}::date + interval '1 month')::date::text as next,
      ${month}::date < utc_month() as over
    from tenant t
    left join quota_period q on q.tenant_id = t.id and q.month = ${month}::date
    left join balance b on b.tenant_id = t.id
    where t.id = ${tenant.id}::uuid and ${month}::date <= utc_month()
      and ${month}::date >= date_trunc('month', t.created_at at time zone 'utc')`
  if (!head) return null
  const { used, over, name, slug, included, now, next } = head
  const [opening, closing, entries, counted] = await Promise.all([
    balanceBefore(ctx, tenant, month),
    over ? balanceBefore(ctx, tenant, next) : now,
    entriesOf(ctx, tenant, month),
    linesFrom(ctx, tenant, month, 'counts'),
  ])
  const charged = { quota: used, balance: opening + entries.reduce((sum, { units }) => sum + units, 0) - closing }
  const differs = (['quota', 'balance'] as const).some((paid) => sum(counted, paid) !== charged[paid])
  const lines = over && differs ? await linesFrom(ctx, tenant, month, 'decisions') : counted
  return { month, over, tenant: { name, slug }, included, ...charged, opening, closing, entries, lines }
}

const sum = (lines: readonly StatementLine[], paid: 'quota' | 'balance') =>
  lines.reduce((all, line) => all + line[paid], 0)

/**
 * The balance when the month began: all entries before it, less the decisions that were charged to it. Of these, a comparison has
 * counted all but the latest (reconcile.ts).
 */
async function balanceBefore({ prisma }: Db, { id }: { id: string }, month: string): Promise<number> {
  const [row] = await prisma.$queryRaw<{ units: number }[]>`
    with checkpoint as (
      select until, counts from reconciliation_checkpoint where tenant_id = ${id}::uuid
    ), began as (
      select ${month}::date::timestamp at time zone 'utc' as at
    ), charged as (
      select c.n from checkpoint, jsonb_to_recordset(counts) as c(month date, charged_to text, n bigint)
      where c.charged_to = 'balance' and c.month < ${month}::date
      union all
      select n from archived_decisions
      where tenant_id = ${id}::uuid and charged_to = 'balance' and month < ${month}::date and not exists (select from checkpoint)
      union all
      select count(*) from decision where tenant_id = ${id}::uuid and charged_to = 'balance'
        and redeemed_at >= coalesce((select until from checkpoint), '-infinity') and redeemed_at < (select at from began)
    )
    select (coalesce((select sum(units) from balance_entry where tenant_id = ${id}::uuid and created_at < (select at from began)), 0)
      - (select sum(n) from charged))::float8 as units`
  if (!row) throw new Error('an aggregate without a row')
  return row.units
}

const entriesOf = ({ prisma }: Db, { id }: { id: string }, month: string): Promise<StatementEntry[]> =>
  prisma.$queryRaw<StatementEntry[]>`
    select e.id::text as id, e.units::float8 as units, e.reason, floor(extract(epoch from e.created_at))::float8 as "createdAt",
      e.undoes::text as undoes
    from balance_entry e
    where e.tenant_id = ${id}::uuid and e.created_at >= ${month}::date::timestamp at time zone 'utc'
      and e.created_at < (${month}::date + interval '1 month') at time zone 'utc'
    order by e.created_at, e.id`

type Row = { day: string; site: string; paid: 'quota' | 'balance'; n: number }

async function linesFrom(
  { prisma }: Db,
  tenant: { id: string },
  month: string,
  source: 'counts' | 'decisions',
): Promise<StatementLine[]> {
  const rows =
    source === 'counts'
      ? await prisma.$queryRaw<Row[]>`
          select day::text as day, site_id::text as site, label as paid, n::float8 as n from usage_day
          where tenant_id = ${tenant.id}::uuid and day >= ${month}::date and day < ${month}::date + interval '1 month'
            and measure = 'redeemed' and n <> 0
          order by day, site_id`
      : await prisma.$queryRaw<Row[]>`
          select (redeemed_at at time zone 'utc')::date::text as day, site_id::text as site, charged_to::text as paid, count(*)::float8 as n
          from decision
          where tenant_id = ${tenant.id}::uuid and redeemed_at >= ${month}::date::timestamp at time zone 'utc'
            and redeemed_at < (${month}::date + interval '1 month') at time zone 'utc' and charged_to <> 'test'
            and not exists (select from decision_archive a where a.day = (redeemed_at at time zone 'utc')::date)
          group by 1, 2, 3
          union all
          select u.day::text, u.site_id::text, u.label, u.n::float8 from usage_day u join decision_archive a using (day)
          where u.tenant_id = ${tenant.id}::uuid and u.day >= ${month}::date and u.day < ${month}::date + interval '1 month'
            and u.measure = 'redeemed' and u.n <> 0
          order by 1, 2`
  const names = await siteNames({ prisma }, tenant.id)
  return [...groupBy(rows, ({ day, site }) => `${day} ${site}`).values()].flatMap((ofDay) => {
    const [first] = ofDay
    if (!first) return []
    const paid = (by: Row['paid']) => ofDay.find((row) => row.paid === by)?.n ?? 0
    const { day, site } = first
    return [{ day, site, name: names.get(site)?.name ?? null, quota: paid('quota'), balance: paid('balance') }]
  })
}
