import { PLAYGROUND_ACTION, PROBE_ACTIONS } from '../../contract/names.ts'
import type { MemberCtx } from '../access.ts'

/** The maximum of rows to count: a site can have millions a day, and the page refreshes every few seconds. */
export const MOST_COUNTED = 10_000
/** With more intents than this, they are counted by the hour. */
const FEW = 1000

/** `count`: in the last 24 hours, at most MOST_COUNTED + 1. `lastAt`: Unix seconds, however long ago; null if none is stored. */
export type Seen = { count: number; lastAt: number | null }

export type SiteActivity = {
  /** Decisions since midnight, UTC, at most MOST_COUNTED + 1. */
  today: number
  /** Many are counted by the hour, from the start of the hour 24 hours ago. */
  intents: Seen
  /**
   * Counted by the hour, because a solved challenge is not stored until its token is redeemed; from the start of the hour
   * 24 hours ago. `lastAt`: of those whose token was redeemed.
   */
  solved: Seen
  decisions: Seen
}

type Row = {
  today: number
  intents: number
  intent_at: number | null
  solved: number
  solved_at: number | null
  decisions: number
  decision_at: number | null
}

/** Recent activity of the site's merchant and visitors, by the database's clock, without what members tried in the console. */
export async function viewActivity(
  ctx: Pick<MemberCtx, 'prisma'>,
  site: { id: string; tenantId: string },
): Promise<SiteActivity> {
  const [row] = await ctx.prisma.$queryRaw<Row[]>`
    select d.*,
      case when i.n > ${FEW} then greatest(i.recent, least(h.n, ${MOST_COUNTED + 1}::int)) else i.recent end::float8 as intents,
      floor(extract(epoch from case when i.n > ${FEW}
        -- of the tenant's intents, only those of the site's last hour are read
        then coalesce((select created_at from intent where tenant_id = ${site.tenantId}::uuid and site_id = ${site.id}::uuid
          and created_at >= h.last order by created_at desc limit 1), i.latest)
        else i.latest end))::float8 as intent_at
    from
      (select count(*) filter (where redeemed_at >= date_trunc('day', now(), 'UTC'))::float8 as today,
          (count(*) filter (where redeemed_at > now() - interval '24 hours'))::float8 as decisions,
          -- counts by the hour are written a second late
          greatest(count(solved_at) filter (where redeemed_at > now() - interval '24 hours'), (
            select least(coalesce(sum(n), 0), ${MOST_COUNTED + 1}::int)
            from usage_hour
            where tenant_id = ${site.tenantId}::uuid and site_id = ${site.id}::uuid and measure = 'solved'
              and hour >= date_trunc('hour', now() - interval '24 hours', 'UTC')
          ))::float8 as solved,
          floor(extract(epoch from max(solved_at)))::float8 as solved_at,
          floor(extract(epoch from max(redeemed_at)))::float8 as decision_at
        from (
          select redeemed_at, solved_at from decision
          where site_id = ${site.id}::uuid and action <> ${PLAYGROUND_ACTION}
          order by redeemed_at desc limit ${MOST_COUNTED + 1}::int
        ) latest) d,
      -- not in the order of time, which would read all sites of the tenant; intents are deleted after a day anyway
      (select count(*) as n, count(*) filter (where created_at > now() - interval '24 hours') as recent, max(created_at) as latest
        from (
          select created_at from intent where tenant_id = ${site.tenantId}::uuid and site_id = ${site.id}::uuid
            and action <> all(${PROBE_ACTIONS}::text[])
          -- by the index of the site's nonces: in no order, a table of all sites may be read from its beginning
          order by nonce limit ${FEW + 1}::int
        ) few) i,
      (select coalesce(sum(n), 0) as n, max(hour) as last from usage_hour
        where tenant_id = ${site.tenantId}::uuid and site_id = ${site.id}::uuid and measure = 'intents'
          and hour >= date_trunc('hour', now() - interval '24 hours', 'UTC')) h`
  if (!row) throw new Error('an aggregate without a row')
  return {
    today: row.today,
    intents: { count: row.intents, lastAt: row.intent_at },
    solved: { count: row.solved, lastAt: row.solved_at },
    decisions: { count: row.decisions, lastAt: row.decision_at },
  }
}
