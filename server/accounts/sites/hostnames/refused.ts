import type { MemberCtx } from '../../access.ts'

/** `count`: refusals on record; a flood is recorded up to a rate. `lastAt`: Unix seconds. */
export type RefusedHostname = { hostname: string; count: number; lastAt: number }

/**
 * The hostnames of intents and pages that were refused in the last 7 days because they are not on the site's list, and
 * still are not, newest first, at most 20.
 */
export async function listRefusedHostnames(ctx: MemberCtx, site: { id: string }): Promise<RefusedHostname[]> {
  return ctx.prisma.$queryRaw<RefusedHostname[]>`
    select hostname, count(*)::float8 as count, floor(extract(epoch from max(at)))::float8 as "lastAt"
    from (
      -- bounded, so that an attack's refusals do not make this slow
      select r.hostname, r.at, r.code from refusal r
      where r.site_id = ${site.id}::uuid and r.at > now() - interval '7 days'
      order by r.at desc limit 5000
    ) r
    where r.hostname is not null and r.code in ('bad-field', 'origin-not-allowed')
      and not exists (select 1 from hostname h where h.site_id = ${site.id}::uuid and h.hostname = r.hostname)
    group by hostname
    order by max(at) desc, hostname
    limit 20`
}
