import { OWN_SIGNALS, SIGNALS } from '../../server/captcha/challenges/difficulty/reasons.ts'
import type { SeedContext, Sites } from './context.ts'
import { attacksOn, RELEASE } from './forms.ts'

/**
 * The incidents that the attacks and the broken release were, with figures from their decisions and refusals. The attack of the last
 * hour is ongoing for 20 minutes: then the watcher ends it, because the demo has no further requests.
 */
export async function seedIncidents(ctx: SeedContext, sites: Sites): Promise<void> {
  await seedAttacks(ctx, sites)
  await seedRelease(ctx, sites)
}

async function seedRelease({ prisma }: SeedContext, { storefront: { id, tenantId } }: Sites): Promise<void> {
  await prisma.$executeRaw`
    insert into incident (id, tenant_id, site_id, kind, started_at, seen_at, ended_at, peak, usual, hostname, cause, networks,
      work_from, work_to, honest_work, announced_at, end_announced_at)
    select pg_temp.id_at(r.first, 'release'), ${tenantId}::uuid, ${id}::uuid, 'refusals', r.first, r.last, r.last,
      (select max(n) from (
        select count(*)::float8 as n from refused where hostname = ${RELEASE.hostname}
        group by floor(extract(epoch from at) / 600)) windows),
      0, ${RELEASE.hostname}, '/intents bad-field hostname', 0, 1048576, 1048576, 1048576,
      r.first + interval '2 minutes', r.last + interval '6 minutes'
    from (select min(at) as first, max(at) as last from refused where hostname = ${RELEASE.hostname}) r`
}

async function seedAttacks({ prisma }: SeedContext, sites: Sites): Promise<void> {
  await prisma.$executeRaw`
    insert into incident (id, tenant_id, site_id, kind, started_at, seen_at, ended_at, peak, usual, action, hostname, networks,
      work_from, work_to, honest_work, announced_at, end_announced_at)
    select pg_temp.id_at(d.first, 'incident ' || a.site), a.tenant, a.site, 'work', d.first,
      case when a."from" > a.hours then d.last else now() + interval '15 minutes' end,
      case when a."from" > a.hours then d.last end, p.peak, 0, a.action,
      a.hostname, d.networks, d.work_from, d.work_to, d.honest_work, d.first + interval '2 minutes',
      case when a."from" > a.hours then d.last + interval '6 minutes' end
    from jsonb_to_recordset(${JSON.stringify(attacksOn(sites))}::jsonb)
      as a(tenant uuid, site uuid, hostname text, action text, "from" int, hours int)
    cross join lateral (
      select min(redeemed_at) filter (where raised) as first, max(redeemed_at) filter (where raised) as last,
        count(distinct network) filter (where own)::int as networks,
        coalesce(min(work) filter (where not raised), 1048576)::int as work_from, max(work)::int as work_to,
        (percentile_disc(0.5) within group (order by work) filter (where not own))::int as honest_work
      from (
        select *, work_reasons & ${OWN_SIGNALS}::int <> 0 as own, work_reasons & ${SIGNALS}::int <> 0 as raised from decision
        where site_id = a.site and tenant_id = a.tenant and work is not null
          and redeemed_at >= now() - make_interval(hours => a."from")
          and redeemed_at < now() - make_interval(hours => a."from" - a.hours)
      ) x
    ) d
    cross join lateral (
      select max(share) as peak from (
        select avg((work_reasons & ${SIGNALS}::int <> 0)::int)::float8 as share from decision
        where site_id = a.site and tenant_id = a.tenant and work is not null and redeemed_at between d.first and d.last
        group by floor(extract(epoch from redeemed_at) / 600) having count(*) >= 20
      ) windows
    ) p
    where d.first is not null and p.peak is not null`
}
