import type { Db } from '../../kit/db/transact.ts'

/** Units of one UTC month, over all tenants. */
export type UsageOfAll = {
  /** `2026-11`. */
  month: string
  units: { quota: number; balance: number }
  /** Number of tenants with any usage. */
  tenants: number
  /** The tenants with the most units, at most 100. `included`: of that month; null if the tenant had no such period. */
  byTenant: {
    id: string
    slug: string
    name: string
    quota: number
    balance: number
    included: number | null
  }[]
  /** The sites with the most units, at most 20. `name` is null if the site was deleted. */
  topSites: { id: string; name: string | null; tenant: { id: string; slug: string; name: string }; units: number }[]
  /** Each day until today, with its start in Unix seconds. */
  byDay: { at: number; units: number }[]
}

/** The usage of all tenants in a month, from the counts by day. `month`: `2026-11`; absent: the current one. */
export async function usageOfAll({ prisma }: Db, month: string | undefined): Promise<UsageOfAll> {
  const first = month === undefined ? null : `${month}-01`
  const [row] = await prisma.$queryRaw<UsageOfAll[]>`
    with chosen as (select coalesce(${first}::date, utc_month()) as month),
    used as materialized (
      select u.tenant_id, u.site_id, u.day, u.label, u.n from usage_day u, chosen c
      where u.measure = 'redeemed' and u.day >= c.month and u.day < c.month + interval '1 month'
    ), tenants as (
      select t.id, t.slug, t.name, sum(u.n) filter (where u.label = 'quota') as quota,
        sum(u.n) filter (where u.label = 'balance') as balance
      from used u join tenant t on t.id = u.tenant_id group by t.id order by sum(u.n) desc, t.id limit 100
    ), sites as (
      select u.site_id, u.tenant_id, sum(u.n) as units from used u group by 1, 2 order by 3 desc, 1 limit 20
    ), days as (
      select d.day::date as day, coalesce(sum(u.n), 0) as units
      from chosen c
      cross join lateral generate_series(c.month::timestamp,
        least(c.month + interval '1 month' - interval '1 day', (now() at time zone 'utc')), interval '1 day') d(day)
      left join used u on u.day = d.day::date
      group by 1
    )
    select to_char(c.month, 'YYYY-MM') as month,
      json_build_object('quota', coalesce((select sum(n) from used where label = 'quota'), 0),
        'balance', coalesce((select sum(n) from used where label = 'balance'), 0)) as units,
      (select count(distinct tenant_id)::int from used) as tenants,
      coalesce((select json_agg(json_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'quota', coalesce(t.quota, 0),
        'balance', coalesce(t.balance, 0), 'included', q.included) order by coalesce(t.quota, 0) + coalesce(t.balance, 0) desc, t.id)
        from tenants t left join quota_period q on q.tenant_id = t.id and q.month = c.month), '[]') as "byTenant",
      coalesce((select json_agg(json_build_object('id', s.site_id, 'name', x.name, 'units', s.units,
        'tenant', json_build_object('id', t.id, 'slug', t.slug, 'name', t.name)) order by s.units desc, s.site_id)
        from sites s join tenant t on t.id = s.tenant_id left join site_name x on x.id = s.site_id), '[]') as "topSites",
      coalesce((select json_agg(json_build_object('at', extract(epoch from d.day)::bigint, 'units', d.units) order by d.day)
        from days d), '[]') as "byDay"
    from chosen c`
  if (!row) throw new Error('a row of scalars is missing')
  return row
}
