import { Prisma } from '../../../../prisma/client/client.ts'
import { decisionId } from '../../../kit/ids.ts'
import type { Page, PageInput } from '../../../kit/page.ts'
import { after, type Scanned, toScannedPage } from '../../../ledger/position.ts'
import type { MemberCtx } from '../../access.ts'

/** `active`: it can still be used. Otherwise why it ended: revoked, used up or expired. */
export const GRANT_STATES = ['active', 'used', 'expired', 'revoked'] as const
export type GrantState = (typeof GRANT_STATES)[number]

/** Unix seconds; `to` is exclusive. `session`: its first hex digits, at least 8. All given filters must match. */
export type GrantQuery = {
  from: number
  to: number
  state?: GrantState | undefined
  site?: string | undefined
  session?: string | undefined
}

export type GrantRow = {
  id: string
  /** The name is null if the site was deleted. */
  site: { id: string; name: string | null }
  /** All 64 hex digits; null for a grant without a session. */
  session: string | null
  state: GrantState
  uses: number
  used: number
  /** The decision that it was issued for, `dec_…`. */
  decisionId: string
  /** That decision was itself exempt. */
  renewed: boolean
  /** Unix seconds. */
  createdAt: number
  expiresAt: number
  revokedAt: number | null
  /** Until when it can be renewed, by the site's current policy; null if it cannot. */
  renewableUntil: number | null
}

type Row = Omit<GrantRow, 'site' | 'decisionId'> & Scanned & { siteId: string; siteName: string | null; intent: string }

/** Maximum rows that one page scans, so that a filter that almost nothing matches does not read a month. */
const SCANNED_GRANTS = 10_000

/**
 * The tenant's grants, newest first; with `session` only those of existing sites. A page may have fewer than `limit`
 * rows and not be the last; only `nextCursor` is null at the end.
 */
export async function listGrants(
  { prisma, tenant }: Pick<MemberCtx, 'prisma' | 'tenant'>,
  { from, to, state, site, session, cursor, limit }: GrantQuery & PageInput,
): Promise<Page<GrantRow>> {
  // by the index of sites and sessions: no hex digit sorts after `g` in any collation
  const bySession =
    session === undefined
      ? Prisma.empty
      : Prisma.sql`and g.site_id in (select id from site where tenant_id = ${tenant.id}::uuid)
          and g.session >= ${session} and g.session < ${`${session}g`}`
  const wanted = Prisma.sql`(${state === undefined ? Prisma.sql`true` : Prisma.sql`g.state = ${state}`}
    and ${site === undefined ? Prisma.sql`true` : Prisma.sql`g.site_id = ${site}::uuid`})`
  const position = await after({ prisma }, { table: 'captcha_grant', at: 'created_at' }, tenant.id, cursor)
  const rows = await prisma.$queryRaw<Row[]>`
    select g.id::text, g.site_id::text as "siteId", s.name as "siteName", g.session, g.state, g.uses, g.used,
      g.decision_id::text as intent, floor(extract(epoch from g.created_at))::float8 as "createdAt",
      extract(epoch from g.expires_at)::float8 as "expiresAt", floor(extract(epoch from g.revoked_at))::float8 as "revokedAt",
      d.id is not null and d.solved_at is null as renewed,
      case when g.session is not null and g.revoked_at is null and s.grants_enabled and s.grant_renewal > 0
        then extract(epoch from g.solved_at)::float8 + s.grant_renewal end as "renewableUntil",
      g.passes, g.nth = ${SCANNED_GRANTS} as last
    from (
      select g.*, ${wanted} as passes
      from (
        select g.*, row_number() over (order by g.created_at desc, g.id desc) as nth,
          case when g.revoked_at is not null then 'revoked' when g.used >= g.uses then 'used'
            when g.expires_at <= now() then 'expired' else 'active' end as state
        from captcha_grant g
        where g.tenant_id = ${tenant.id}::uuid ${bySession}
          and g.created_at >= to_timestamp(${from}::float8) and g.created_at < to_timestamp(${to}::float8)
          and ${position}
        order by g.created_at desc, g.id desc
        limit ${SCANNED_GRANTS}::int
      ) g
      where ${wanted} or g.nth = ${SCANNED_GRANTS}
      order by g.created_at desc, g.id desc
      limit ${limit + 1}::int
    ) g
    left join site s on s.id = g.site_id and s.tenant_id = ${tenant.id}::uuid
    left join decision d on d.id = g.decision_id and d.tenant_id = g.tenant_id
    order by g.created_at desc, g.id desc`
  const page = toScannedPage(rows, limit)
  return { ...page, rows: page.rows.map(toGrant) }
}

const toGrant = ({ siteId, siteName, intent, ...row }: Row): GrantRow => ({
  id: row.id,
  site: { id: siteId, name: siteName },
  session: row.session,
  state: row.state,
  uses: row.uses,
  used: row.used,
  decisionId: decisionId(intent),
  renewed: row.renewed,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  revokedAt: row.revokedAt,
  renewableUntil: row.renewableUntil,
})
