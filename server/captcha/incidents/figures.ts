import type { Context } from '../../kit/context.ts'
import { OWN_SIGNALS, SIGNALS } from '../challenges/difficulty/reasons.ts'
import type { TenMinutes } from './judge.ts'

/** The ten minutes that are compared, in seconds: enough requests of a small site, and few minutes until an attack is noticed. */
const WINDOW = 600
/** Decisions read of a site: the latest ones. */
const MOST_DECISIONS = 2000
/** Past days that are usual, and windows before and after the time of day in which one of them may have had its peak. */
const DAYS = 7
const SLACK = 3
/** Decisions read of each past window, and how many it needs for a share. */
const PAST_DECISIONS = 400
const MIN_DECISIONS = 20

/** A site's last ten minutes. Times are in Unix seconds, works in expected hashes. */
export type Figures = TenMinutes & {
  site: string
  tenant: string
  work_since: number | null
  work_action: string | null
  work_hostname: string | null
  networks: number
  work_from: number
  work_to: number
  honest_work: number
  refused_since: number | null
  refused_action: string | null
  refused_hostname: string | null
  refused_cause: string | null
}

type Ctx = Pick<Context, 'prisma'>

/**
 * The last ten minutes of every site that has at least some raised challenges or refusals, or an open incident. Signals count
 * in every mode, so that attack mode does not hide what it is there for. Of a flood only some refusals are stored: their number
 * is raised by what was counted in the same hours.
 */
export const readFigures = ({ prisma }: Ctx): Promise<Figures[]> => prisma.$queryRaw<Figures[]>`
  select s.id::text as site, s.tenant_id::text as tenant, d.completed, d.solved, d.raised, d.work_since, d.work_action,
    d.work_hostname, d.networks, coalesce(d.work_from, s.base_work)::float8 as work_from,
    coalesce(d.work_to, s.base_work)::float8 as work_to, coalesce(d.honest_work, s.base_work)::float8 as honest_work,
    r.n * stored.share as refused, r.refused_since, r.refused_action, r.refused_hostname, r.refused_cause
  from site s join tenant t on t.id = s.tenant_id
  cross join lateral (
    select count(*)::float8 as completed, count(work)::float8 as solved,
      (count(*) filter (where raised))::float8 as raised,
      floor(extract(epoch from min(redeemed_at) filter (where raised)))::float8 as work_since,
      mode() within group (order by action) filter (where raised) as work_action,
      mode() within group (order by hostname) filter (where raised) as work_hostname,
      (count(distinct network) filter (where raised))::float8 as networks,
      percentile_disc(0.5) within group (order by work) filter (where not raised) as work_from,
      max(work) filter (where raised) as work_to,
      percentile_disc(0.5) within group (order by work) filter (where not own) as honest_work
    from (
      select redeemed_at, action, hostname, network, work,
        work is not null and work_reasons & ${SIGNALS}::int <> 0 as raised, work_reasons & ${OWN_SIGNALS}::int <> 0 as own
      from decision
      where site_id = s.id and tenant_id is not distinct from s.tenant_id
        and redeemed_at > now() - make_interval(secs => ${WINDOW}) and charged_to <> 'test'
      order by redeemed_at desc limit ${MOST_DECISIONS}::int
    ) latest
  ) d
  cross join lateral (
    select count(*)::float8 as n, floor(extract(epoch from min(f.at)))::float8 as refused_since,
      mode() within group (order by i.action) as refused_action,
      mode() within group (order by coalesce(f.hostname, i.hostname)) as refused_hostname,
      mode() within group (order by concat_ws(' ', f.endpoint, f.code, f.field)) as refused_cause
    from refusal f left join intent i on i.id = f.intent_id and i.tenant_id = f.tenant_id and i.site_id = f.site_id
    where f.site_id = s.id and f.tenant_id is not distinct from s.tenant_id
      and f.at > now() - make_interval(secs => ${WINDOW}) and f.at <= now()
  ) r
  cross join lateral (
    select case when r.n = 0 then 1 else greatest(1, coalesce((
        select sum(u.n) from usage_hour u where u.tenant_id = s.tenant_id and u.site_id = s.id and u.measure = 'refused'
          and u.hour >= date_trunc('hour', now() - make_interval(secs => ${WINDOW}), 'UTC')
      ) / (
        select count(*) from refusal f where f.site_id = s.id and f.tenant_id is not distinct from s.tenant_id
          and f.at >= date_trunc('hour', now() - make_interval(secs => ${WINDOW}), 'UTC')
      ), 1)) end::float8 as share
  ) stored
  where s.paused_at is null and t.suspended_at is null and t.deleted_at is null
    and (d.raised > 0 or r.n > 0 or exists (select from incident o where o.site_id = s.id and o.ended_at is null))`

/** What is usual: the share of raised challenges, and the number of refusals, in ten minutes. */
export type Usual = { site: string; work: number; refusals: number }

/**
 * What is usual for sites at this time of the day: the median over the last seven days of each day's highest ten minutes
 * within half an hour of it. What happens every day at about the same time is therefore usual. Days without traffic, such as
 * those before the site existed, count as 0.
 */
export async function readUsual({ prisma }: Ctx, sites: readonly Pick<Figures, 'site' | 'tenant'>[]): Promise<Usual[]> {
  if (sites.length === 0) return []
  return prisma.$queryRaw<Usual[]>`
    select c.site::text as site, percentile_cont(0.5) within group (order by p.work) as work,
      percentile_cont(0.5) within group (order by p.refusals * stored.share) as refusals
    from unnest(${sites.map(({ site }) => site)}::uuid[], ${sites.map(({ tenant }) => tenant)}::uuid[]) c(site, tenant)
    cross join lateral (
      select now() - make_interval(days => day) as at from generate_series(1, ${DAYS}::int) day
    ) past
    cross join lateral (
      select max(d.share)::float8 as work, max(r.n)::float8 as refusals
      from generate_series(-${SLACK}::int, ${SLACK}::int) slot
      cross join lateral (select past.at + make_interval(secs => slot * ${WINDOW}) as until) w
      cross join lateral (
        select case when count(*) < ${MIN_DECISIONS} then 0 else avg((work_reasons & ${SIGNALS}::int <> 0)::int) end as share
        from (
          select work_reasons from decision
          where site_id = c.site and tenant_id is not distinct from c.tenant and work is not null and charged_to <> 'test'
            and redeemed_at > w.until - make_interval(secs => ${WINDOW}) and redeemed_at <= w.until
          order by redeemed_at desc limit ${PAST_DECISIONS}::int
        ) sample
      ) d
      cross join lateral (
        select count(*) as n from refusal f where f.site_id = c.site and f.tenant_id is not distinct from c.tenant
          and f.at > w.until - make_interval(secs => ${WINDOW}) and f.at <= w.until
      ) r
    ) p
    cross join lateral (
      select date_trunc('hour', past.at - interval '40 minutes', 'UTC') as from,
        date_trunc('hour', past.at + interval '30 minutes', 'UTC') + interval '1 hour' as until
    ) hours
    cross join lateral (
      select case when p.refusals = 0 then 1 else greatest(1, coalesce((
          select sum(u.n) from usage_hour u where u.tenant_id = c.tenant and u.site_id = c.site and u.measure = 'refused'
            and u.hour >= hours.from and u.hour < hours.until
        ) / (
          select count(*) from refusal f where f.site_id = c.site and f.tenant_id is not distinct from c.tenant
            and f.at >= hours.from and f.at < hours.until
        ), 1)) end::float8 as share
    ) stored
    group by c.site`
}
