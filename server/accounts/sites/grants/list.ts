import { Prisma } from '../../../../prisma/client/client.ts'
import type { GrantFilters, GrantState } from '../../../contract/filters.ts'
import { decisionId } from '../../../contract/ids.ts'
import type { Page, PageInput } from '../../../ledger/page.ts'
import { scan } from '../../../ledger/scan.ts'
import type { MemberCtx } from '../../access.ts'

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
}

type Row = Omit<GrantRow, 'site' | 'decisionId'> & { siteId: string; siteName: string | null; intent: string }

const STATE = Prisma.sql`case when g.revoked_at is not null then 'revoked' when g.used >= g.uses then 'used'
  when g.expires_at <= now() then 'expired' else 'active' end`

/** The tenant's grants of a period (Unix seconds), the newest first; those of a session only at sites that have not been deleted. */
export async function listGrants(
  ctx: Pick<MemberCtx, 'prisma' | 'tenant'>,
  { from, to, state, site, session, cursor, limit }: { from: number; to: number } & GrantFilters & PageInput,
): Promise<Page<GrantRow>> {
  const { tenant } = ctx
  const { rows, nextCursor } = await scan<Row>(ctx, {
    table: 'captcha_grant',
    tenant,
    from,
    to,
    within: [
      // by the index of sites and sessions: no hex digit comes after `g`, however the database orders letters
      session !== undefined &&
        Prisma.sql`g.site_id in (select id from site where tenant_id = ${tenant.id}::uuid)
          and g.session >= ${session} and g.session < ${`${session}g`}`,
    ],
    wanted: [
      state !== undefined && Prisma.sql`${STATE} = ${state}`,
      site !== undefined && Prisma.sql`g.site_id = ${site}::uuid`,
    ],
    columns: Prisma.sql`g.id::text, g.site_id::text as "siteId", n.name as "siteName", g.session, ${STATE} as state,
      g.uses, g.used, g.decision_id::text as intent, floor(extract(epoch from g.created_at))::float8 as "createdAt",
      extract(epoch from g.expires_at)::float8 as "expiresAt",
      floor(extract(epoch from g.revoked_at))::float8 as "revokedAt",
      d.id is not null and d.solved_at is null as renewed`,
    joins: Prisma.sql`left join site s on s.id = g.site_id and s.tenant_id = g.tenant_id
      left join site_name n on n.id = g.site_id and n.tenant_id = g.tenant_id
      left join decision d on d.id = g.decision_id and d.tenant_id = g.tenant_id`,
    cursor,
    limit,
  })
  return { rows: rows.map(toGrant), nextCursor }
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
})
