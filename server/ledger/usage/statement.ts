import type { Db } from '../../kit/db/transact.ts'
import { groupBy } from './groupBy.ts'

/** Units of a site on a day, UTC, by what they were charged to. `name`: null if the site was deleted since. */
export type StatementLine = { day: string; site: string; name: string | null; quota: number; balance: number }

export type Statement = {
  /** First day of the month, UTC, as `2026-11-01`. */
  month: string
  /** Whether the month is over and the statement is final. */
  over: boolean
  tenant: { name: string; slug: string }
  included: number
  /** Units charged: to the plan and to the balance. Each is one decision. */
  quota: number
  balance: number
  /** Units that staff added to the balance, minus those removed. */
  added: number
  lines: StatementLine[]
}

type Head = { name: string; slug: string; included: number; used: number; added: number; over: boolean }

/**
 * The month's units by day and site; each unit is one decision. They are read from the counts and compared with the
 * ledger; if a completed month differs, they are counted again from the decisions, except those of archived days, whose counts
 * were corrected before. Null for a month in which the tenant had no account.
 */
export async function statement(ctx: Db, tenant: { id: string }, month: string): Promise<Statement | null> {
  const [head] = await ctx.prisma.$queryRaw<Head[]>`
    select t.name, t.slug, coalesce(q.included, t.monthly_quota)::float8 as included, coalesce(q.used, 0)::float8 as used,
      ${month}::date < utc_month() as over,
      (select coalesce(sum(units), 0)::float8 from balance_entry where tenant_id = t.id
        and created_at >= ${month}::date::timestamp at time zone 'utc'
        and created_at < (${month}::date + interval '1 month') at time zone 'utc') as added
    from tenant t left join quota_period q on q.tenant_id = t.id and q.month = ${month}::date
    where t.id = ${tenant.id}::uuid and ${month}::date <= utc_month()
      and ${month}::date >= date_trunc('month', t.created_at at time zone 'utc')`
  if (!head) return null
  const { used, over, name, slug, ...rest } = head
  const counted = await linesFrom(ctx, tenant, month, 'counts')
  const lines = over && sum(counted, 'quota') !== used ? await linesFrom(ctx, tenant, month, 'decisions') : counted
  return {
    month,
    over,
    tenant: { name, slug },
    ...rest,
    quota: over ? sum(lines, 'quota') : used,
    balance: sum(lines, 'balance'),
    lines,
  }
}

const sum = (lines: readonly StatementLine[], paid: 'quota' | 'balance') =>
  lines.reduce((all, line) => all + line[paid], 0)

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
  const sites = await prisma.site.findMany({ where: { tenantId: tenant.id }, select: { id: true, name: true } })
  const names = new Map(sites.map(({ id, name }) => [id, name]))
  return [...groupBy(rows, ({ day, site }) => `${day} ${site}`).values()].flatMap((ofDay) => {
    const [first] = ofDay
    if (!first) return []
    const paid = (by: Row['paid']) => ofDay.find((row) => row.paid === by)?.n ?? 0
    const { day, site } = first
    return [{ day, site, name: names.get(site) ?? null, quota: paid('quota'), balance: paid('balance') }]
  })
}
