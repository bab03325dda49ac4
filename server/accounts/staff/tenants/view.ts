import type { IncidentKind } from '../../../../prisma/client/enums.ts'
import type { Role } from '../../../contract/permissions.ts'
import { seconds } from '../../../kit/db/clock.ts'
import { AppError } from '../../../kit/error.ts'
import {
  ACTOR_COLUMNS,
  type ActorRow,
  type StaffActor,
  WITH_PERSON,
  withStaffActor,
} from '../../../ledger/audit/actor.ts'
import { type Anomaly, anomaliesOf } from '../../../ledger/usage/anomalies.ts'
import type { Forecast } from '../../../ledger/usage/forecast.ts'
import { type Health, healthOf } from '../../../ledger/usage/health.ts'
import { meter } from '../../../ledger/usage/meter.ts'
import { type RefusedKind, refusedKind } from '../../../ledger/usage/series.ts'
import type { StaffCtx } from '../../access.ts'
import { findTenant } from '../../find.ts'
import { listQuotaRequests, type StaffQuotaRequest } from '../quotaRequests/list.ts'
import { recordRead } from '../recordRead.ts'

/** Times are Unix seconds, amounts are units. */
export type StaffTenantView = {
  id: string
  slug: string
  name: string
  createdAt: number
  suspendedAt: number | null
  require2fa: boolean
  monthlyQuota: number
  health: Health
  forecast: Forecast | null
  anomalies: Anomaly[]
  /** What the tenant asks for, if it waits for an answer. */
  request: StaffQuotaRequest | null
  /** Those that are not over, at most 20. */
  incidents: {
    id: string
    kind: IncidentKind
    cause: RefusedKind | null
    action: string | null
    hostname: string | null
    site: { id: string; name: string | null }
    startedAt: number
  }[]
  /** At most 100, oldest first. `day`: redemptions and refusals of the last 24 hours. */
  sites: { id: string; name: string; sitekey: string; paused: boolean; redeemed: number; refused: number }[]
  /** At most 100. */
  members: { userId: string; name: string; email: string; role: Role; twoFactor: boolean }[]
  /** Additions to the balance and removals, newest first, at most 50. */
  entries: { id: string; units: number; reason: string; actor: StaffActor; createdAt: number; undone: boolean }[]
  /** Changes of the quota, newest first, at most 20. `undoable`: it is the current one. */
  quotaChanges: {
    id: string
    before: number
    after: number
    reason: string | null
    actor: StaffActor
    createdAt: number
    undoable: boolean
  }[]
  /** Views by staff, newest first, at most 20. */
  viewsAs: { id: string; name: string; reason: string; startedAt: number; endsAt: number; endedAt: number | null }[]
}

/** One tenant as staff see it. Throws AppError. */
export async function viewAnyTenant(ctx: StaffCtx, input: { tenant: string }): Promise<StaffTenantView> {
  const tenant = await findTenant(ctx, input.tenant)
  const { id } = tenant
  await recordRead(ctx, id)
  const [known, { forecast }, [request], incidents, sites, members, entries, quotaChanges, viewsAs] = await Promise.all(
    [
      healthOf(ctx, [id]),
      meter(ctx, tenant),
      listQuotaRequests(ctx, tenant),
      incidentsOf(ctx, id),
      sitesOf(ctx, id),
      ctx.prisma.member.findMany({
        where: { tenantId: id },
        include: { user: true },
        orderBy: { id: 'asc' },
        take: 100,
      }),
      entriesOf(ctx, id),
      quotaChangesOf(ctx, id),
      ctx.prisma.viewAs.findMany({
        where: { tenantId: id },
        include: { user: { select: { name: true } } },
        orderBy: { startedAt: 'desc' },
        take: 20,
      }),
    ],
  )
  const health = known.get(id)
  if (!health) throw new AppError('tenant-not-found', { tenant: input.tenant })
  const second = (date: Date | null) => (date === null ? null : seconds(date.getTime()))
  const quota = Number(tenant.monthlyQuota)
  return {
    id,
    slug: tenant.slug,
    name: tenant.name,
    createdAt: seconds(tenant.createdAt.getTime()),
    suspendedAt: second(tenant.suspendedAt),
    require2fa: tenant.require2fa,
    monthlyQuota: quota,
    health,
    forecast,
    anomalies: anomaliesOf(health),
    request: request?.state === 'waiting' ? request : null,
    incidents: incidents.map(({ cause, ...incident }) => ({
      ...incident,
      cause: cause === null ? null : refusedKind(cause),
    })),
    sites,
    members: members.map(({ user, role }) => ({
      userId: user.id,
      name: user.name,
      email: user.email,
      role,
      twoFactor: user.twoFactorEnabled,
    })),
    entries: entries.map(withStaffActor),
    quotaChanges: quotaChanges.map((change, i) => ({
      ...withStaffActor(change),
      undoable: i === 0 && change.after === quota,
    })),
    viewsAs: viewsAs.map(({ id, user, reason, startedAt, endsAt, endedAt }) => ({
      id,
      name: user.name,
      reason,
      startedAt: seconds(startedAt.getTime()),
      endsAt: seconds(endsAt.getTime()),
      endedAt: second(endedAt),
    })),
  }
}

const incidentsOf = ({ prisma }: StaffCtx, tenantId: string) => prisma.$queryRaw<
  (Omit<StaffTenantView['incidents'][number], 'cause'> & { cause: string | null })[]
>`
  select i.id::text as id, i.kind::text as kind, i.cause, i.action, i.hostname, json_build_object('id', i.site_id, 'name', n.name) as site,
    floor(extract(epoch from i.started_at))::float8 as "startedAt"
  from incident i left join site_name n on n.id = i.site_id
  where i.tenant_id = ${tenantId}::uuid and i.ended_at is null order by i.started_at desc limit 20`

const sitesOf = ({ prisma }: StaffCtx, tenantId: string) => prisma.$queryRaw<StaffTenantView['sites']>`
  select s.id::text as id, s.name, s.sitekey, s.paused_at is not null as paused,
    coalesce(u.redeemed, 0)::float8 as redeemed, coalesce(u.refused, 0)::float8 as refused
  from site s
  left join lateral (
    select sum(x.n) filter (where x.measure = 'redeemed') as redeemed, sum(x.n) filter (where x.measure = 'refused') as refused
    from usage_hour x where x.site_id = s.id and x.hour > date_trunc('hour', now(), 'UTC') - interval '24 hours'
      and x.measure in ('redeemed', 'refused')
  ) u on true
  where s.tenant_id = ${tenantId}::uuid order by s.id limit 100`

const entriesOf = ({ prisma }: StaffCtx, tenantId: string) => prisma.$queryRaw<
  (Omit<StaffTenantView['entries'][number], 'actor'> & ActorRow)[]
>`
  select e.id::text as id, e.units::float8 as units, e.reason, ${ACTOR_COLUMNS},
    floor(extract(epoch from e.created_at))::float8 as "createdAt",
    exists (select 1 from balance_entry c where c.undoes = e.id) as undone
  from balance_entry e
  ${WITH_PERSON}
  where e.tenant_id = ${tenantId}::uuid order by e.created_at desc, e.id desc limit 50`

const quotaChangesOf = ({ prisma }: StaffCtx, tenantId: string) => prisma.$queryRaw<
  (Omit<StaffTenantView['quotaChanges'][number], 'actor' | 'undoable'> & ActorRow)[]
>`
  select e.id::text as id, e.units_before::float8 as before, e.units_after::float8 as after, e.reason, ${ACTOR_COLUMNS},
    floor(extract(epoch from e.created_at))::float8 as "createdAt"
  from quota_change e
  ${WITH_PERSON}
  where e.tenant_id = ${tenantId}::uuid order by e.created_at desc, e.id desc limit 20`
