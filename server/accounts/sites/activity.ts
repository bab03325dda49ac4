import type { MemberCtx } from '../access.ts'

/** `count`: in the last 24 hours. `lastAt`: Unix seconds, however long ago; null if none is stored. */
export type Seen = { count: number; lastAt: number | null }

export type SiteActivity = {
  /** Decisions since midnight, UTC. */
  today: number
  intents: Seen
  /** Counted by decisions, because a solved challenge is not stored until its token is redeemed. */
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

/** Recent activity of the site's merchant and visitors, by the database's clock. */
export async function viewActivity(
  ctx: Pick<MemberCtx, 'prisma'>,
  site: { id: string; tenantId: string },
): Promise<SiteActivity> {
  const [row] = await ctx.prisma.$queryRaw<Row[]>`
    select d.today, d.decisions, d.solved, p.intents,
      (select floor(extract(epoch from created_at))::float8 from intent
        where tenant_id = ${site.tenantId}::uuid and site_id = ${site.id}::uuid
        order by created_at desc limit 1) as intent_at,
      (select floor(extract(epoch from solved_at))::float8 from decision
        where site_id = ${site.id}::uuid and solved_at is not null order by redeemed_at desc limit 1) as solved_at,
      (select floor(extract(epoch from redeemed_at))::float8 from decision
        where site_id = ${site.id}::uuid order by redeemed_at desc limit 1) as decision_at
    from
      (select count(*) filter (where redeemed_at >= date_trunc('day', now(), 'UTC'))::float8 as today,
          count(*)::float8 as decisions, count(solved_at)::float8 as solved
        from decision where site_id = ${site.id}::uuid and redeemed_at > now() - interval '24 hours') d,
      (select count(*)::float8 as intents from intent
        where tenant_id = ${site.tenantId}::uuid and site_id = ${site.id}::uuid
          and created_at > now() - interval '24 hours') p`
  if (!row) throw new Error('an aggregate without a row')
  return {
    today: row.today,
    intents: { count: row.intents, lastAt: row.intent_at },
    solved: { count: row.solved, lastAt: row.solved_at },
    decisions: { count: row.decisions, lastAt: row.decision_at },
  }
}
