import type { MemberCtx } from '../../accounts/access.ts'
import type { TenantSites } from '../../ledger/tenantSites.ts'
import type { Period } from '../../ledger/usage/period.ts'

/** The changes of a site that a chart marks: those that change what is asked of visitors or which calls are accepted. */
export const MARKED_CHANGES = [
  'site.set_policy',
  'site.start_attack_mode',
  'site.end_attack_mode',
  'site.pause',
  'site.resume',
  'hostname.add',
  'hostname.remove',
  'secret.issue',
  'secret.rotate',
  'secret.revoke',
] as const
export type MarkedChange = (typeof MARKED_CHANGES)[number]

/** `at` in Unix seconds; `hostname`: that was added or removed; `by`: the name of the member, if the caller may read the audit log. */
export type SiteChange = {
  id: string
  action: MarkedChange
  site: string
  siteName: string | null
  at: number
  hostname: string | null
  by: string | null
}

/** An incident in a chart; `to` null while it is open. */
export type IncidentMark = { id: string; siteName: string | null; from: number; to: number | null }

export type ChartMarks = { changes: SiteChange[]; incidents: IncidentMark[] }

/** More than a chart can show. */
const MOST = 200

/** The marked changes of the tenant's sites, or of some, in the period; the oldest first. */
export async function listSiteChanges(
  { prisma, allows }: Pick<MemberCtx, 'prisma' | 'allows'>,
  { id, sites }: TenantSites,
  { from, to }: Period,
): Promise<SiteChange[]> {
  const only = sites ? [...sites] : null
  const changes = await prisma.$queryRaw<SiteChange[]>`
    select e.id::text, e.action, e.target as site, s.name as "siteName", u.name as by,
      floor(extract(epoch from e.created_at))::float8 as at, coalesce(e.after, e.before)->>'hostname' as hostname
    from audit_event e
    left join site s on s.tenant_id = e.tenant_id and s.id::text = e.target
    left join "user" u on e.actor_type = 'user' and u.id::text = e.actor_id
    where e.tenant_id = ${id}::uuid and e.created_at >= to_timestamp(${from}::float8)
      and e.created_at < to_timestamp(${to}::float8) and e.action = any(${[...MARKED_CHANGES]}::text[])
      and (${only}::text[] is null or e.target = any(${only}::text[]))
    order by e.created_at desc limit ${MOST}::int`
  const named = allows('audit.read')
  return changes.toReversed().map((change) => ({ ...change, by: named ? change.by : null }))
}

/** What a chart of the tenant's traffic, or of some sites, marks. */
export async function listChartMarks(
  ctx: Pick<MemberCtx, 'prisma' | 'allows'>,
  tenant: TenantSites,
  period: Period,
): Promise<ChartMarks> {
  const only = tenant.sites ? [...tenant.sites] : null
  const [changes, incidents] = await Promise.all([
    listSiteChanges(ctx, tenant, period),
    ctx.prisma.$queryRaw<IncidentMark[]>`
      select i.id::text, s.name as "siteName", floor(extract(epoch from i.started_at))::float8 as from,
        floor(extract(epoch from i.ended_at))::float8 as to
      from incident i left join site_name s on s.id = i.site_id and s.tenant_id = i.tenant_id
      where i.tenant_id = ${tenant.id}::uuid and i.started_at < to_timestamp(${period.to}::float8)
        and (i.ended_at is null or i.ended_at >= to_timestamp(${period.from}::float8))
        and (${only}::uuid[] is null or i.site_id = any(${only}::uuid[]))
      order by i.started_at desc limit ${MOST}::int`,
  ])
  return { changes, incidents: incidents.toReversed() }
}
