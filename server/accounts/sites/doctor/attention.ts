import { BACKEND_ENDPOINTS } from '../../../contract/names.ts'
import { seconds } from '../../../kit/db/clock.ts'
import type { MemberCtx } from '../../access.ts'
import { diagnose } from './diagnose.ts'
import type { Finding } from './mistakes.ts'

/** An error of the doctor, without its lines to change. `hostname`: the one that is refused. */
export type SiteError = Pick<Finding, 'mistake' | 'lastAt' | 'count' | 'daily' | 'endedAt' | 'hostname'> & {
  title: string
}

/** A site that a person should look at. `pausedSince` in Unix seconds; `completed`: of a paused site, in the last 7 days. */
export type SiteAttention = { id: string; name: string; errors: SiteError[] } & (
  | { pausedSince: number; completed: number }
  | { pausedSince: null }
)

/** The doctor reads up to 10,000 refusals of a site, so that only the sites with the most are examined. */
const MOST_SITES = 5
const MOST_PAUSED = 50
const DAY = 86_400

type Candidate = { id: string; name: string; sitekey: string }

/**
 * What needs attention at the tenant's sites: errors that the doctor finds in the calls of the last 7 days, and pauses of sites
 * that had traffic in these days. Errors only for members who may read refusals.
 */
export async function listAttention(
  ctx: Pick<MemberCtx, 'prisma' | 'clock' | 'tenant' | 'allows'>,
): Promise<SiteAttention[]> {
  const { prisma, tenant, allows } = ctx
  const [paused, candidates] = await Promise.all([
    prisma.$queryRaw<{ id: string; name: string; pausedSince: number; completed: number }[]>`
      select s.id::text, s.name, floor(extract(epoch from s.paused_at))::float8 as "pausedSince", u.n as completed
      from site s cross join lateral (
        select coalesce(sum(n), 0)::float8 as n from usage_day
        where tenant_id = s.tenant_id and site_id = s.id and measure = 'redeemed'
          and day > (now() at time zone 'utc')::date - 7
      ) u
      where s.tenant_id = ${tenant.id}::uuid and s.paused_at is not null and u.n > 0
      order by u.n desc limit ${MOST_PAUSED}::int`,
    allows('refusal.read')
      ? prisma.$queryRaw<Candidate[]>`
          select s.id::text, s.name, s.sitekey from site s join (
            select site_id, sum(n) as n from usage_day
            where tenant_id = ${tenant.id}::uuid and measure = 'refused'
              and day > (now() at time zone 'utc')::date - 8
              and split_part(label, ' ', 1) = any(${[...BACKEND_ENDPOINTS]}::text[])
            group by site_id
          ) u on u.site_id = s.id
          where s.tenant_id = ${tenant.id}::uuid and s.paused_at is null
          order by u.n desc limit ${MOST_SITES}::int`
      : [],
  ])
  const broken: SiteAttention[] = []
  // one after the other: each reads with several statements
  for (const { id, name, sitekey } of candidates) {
    const { findings } = await diagnose(ctx, { id, tenantId: tenant.id, sitekey })
    // what has not happened for a day may be fixed already, but a hostname is refused until it is allowed
    const errors = findings.filter(
      ({ severity, lastAt, hostname }) =>
        severity === 'error' && (lastAt === null || hostname !== undefined || lastAt > seconds(ctx.clock.now()) - DAY),
    )
    if (errors.length > 0) broken.push({ id, name, pausedSince: null, errors: errors.map(toError) })
  }
  return [...broken, ...paused.map((site) => ({ ...site, errors: [] }))]
}

const toError = ({
  mistake,
  title,
  lastAt,
  count,
  daily,
  endedAt,
  hostname,
}: Finding & { title: string }): SiteError => ({
  mistake,
  title,
  lastAt,
  count,
  ...(daily !== undefined && { daily }),
  ...(endedAt !== undefined && { endedAt }),
  ...(hostname !== undefined && { hostname }),
})
