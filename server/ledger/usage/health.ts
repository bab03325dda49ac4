import type { Db } from '../../kit/db/transact.ts'

/** The state of a tenant. Counts are for the last 24 hours; `redeemedBefore`: for the same hours a week before. */
export type Health = {
  intents: number
  redeemed: number
  redeemedBefore: number
  refused: number
  /** Time of the latest redemption, in Unix seconds; null before the first. */
  lastDecisionAt: number | null
  /** Units of the current month. */
  included: number
  used: number
  balance: number
  /** Units a month that the tenant asks for; null without a request that waits. */
  requested: number | null
  /** Incidents at its sites that are not over. */
  incidents: number
}

type Row = Health & { id: string }

/** The state of the tenants, by id, from the rollups and the quota only, without counting decisions. */
export async function healthOf({ prisma }: Db, tenantIds: string[]): Promise<Map<string, Health>> {
  if (tenantIds.length === 0) return new Map()
  const rows = await prisma.$queryRaw<Row[]>`
    select t.id::text as id, coalesce(u.intents, 0)::float8 as intents, coalesce(u.redeemed, 0)::float8 as redeemed,
      coalesce(u.refused, 0)::float8 as refused, coalesce(w.redeemed, 0)::float8 as "redeemedBefore",
      (select floor(extract(epoch from d.redeemed_at))::float8 from decision d
        where d.tenant_id = t.id order by d.redeemed_at desc limit 1) as "lastDecisionAt",
      coalesce(q.included, t.monthly_quota)::float8 as included, coalesce(q.used, 0)::float8 as used,
      coalesce(b.units, 0)::float8 as balance,
      (select r.units::float8 from quota_request r where r.tenant_id = t.id and r.state = 'waiting') as requested,
      (select count(*)::int from incident i where i.tenant_id = t.id and i.ended_at is null) as incidents
    from tenant t
    left join quota_period q on q.tenant_id = t.id and q.month = utc_month()
    left join balance b on b.tenant_id = t.id
    cross join (select date_trunc('hour', now(), 'UTC') as hour) m
    left join lateral (
      select sum(x.n) filter (where x.measure = 'intents') as intents,
        sum(x.n) filter (where x.measure = 'redeemed') as redeemed, sum(x.n) filter (where x.measure = 'refused') as refused
      from usage_hour x
      where x.tenant_id = t.id and x.hour > m.hour - interval '24 hours' and x.measure in ('intents', 'redeemed', 'refused')
    ) u on true
    left join lateral (
      -- only the elapsed part of the current hour
      select round(sum(x.n * case when x.hour = m.hour - interval '7 days' then extract(minute from now()) / 60 else 1 end)) as redeemed
      from usage_hour x
      where x.tenant_id = t.id and x.hour > m.hour - interval '8 days' and x.hour <= m.hour - interval '7 days' and x.measure = 'redeemed'
    ) w on true
    where t.id = any(${tenantIds}::uuid[])`
  return new Map(rows.map(({ id, ...health }) => [id, health]))
}
