import type { MemberCtx } from '../../access.ts'

/**
 * `count`: refusals on record; a flood is recorded up to a rate. `lastAt`: Unix seconds. `claimed`: no call with the site's
 * secret used it, only visitors, who can send any hostname.
 */
export type RefusedHostname = { hostname: string; count: number; lastAt: number; claimed: boolean }

/**
 * The hostnames of intents and pages that were refused in the last 7 days because they are not on the site's list, and
 * still are not; first those that the site's backend used, each newest first, at most 20.
 */
export async function listRefusedHostnames(ctx: MemberCtx, site: { id: string }): Promise<RefusedHostname[]> {
  return ctx.prisma.$queryRaw<RefusedHostname[]>`
    select hostname, count(*)::float8 as count, floor(extract(epoch from max(at)))::float8 as "lastAt",
      bool_and(endpoint in ('/challenge', '/solve')) as claimed
    from (
      -- bounded, so that an attack's refusals do not make this slow
      select r.hostname, r.at, r.code, r.field, r.endpoint from refusal r
      where r.site_id = ${site.id}::uuid and r.at > now() - interval '7 days'
      order by r.at desc limit 5000
    ) r
    where r.hostname is not null and r.code in ('bad-field', 'origin-not-allowed') and r.field is distinct from 'doctor'
      and not exists (select 1 from hostname h where h.site_id = ${site.id}::uuid and h.hostname = r.hostname)
    group by hostname
    -- so that a flood of claimed hostnames does not displace those of the backend
    order by claimed, max(at) desc, hostname
    limit 20`
}
