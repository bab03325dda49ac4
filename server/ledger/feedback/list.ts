import { Prisma } from '../../../prisma/client/client.ts'
import type { Outcome } from '../../../prisma/client/enums.ts'
import type { FeedbackFilters } from '../../contract/filters.ts'
import { decisionId } from '../../contract/ids.ts'
import type { Db } from '../../kit/db/transact.ts'
import type { Page, PageInput } from '../page.ts'
import { scan } from '../scan.ts'
import type { TenantSites } from '../tenantSites.ts'
import type { Period } from '../usage/period.ts'

/** The period is that of the report's receipt. */
export type FeedbackQuery = Period & FeedbackFilters

/** The latest report about a decision. Times are Unix seconds. */
export type FeedbackRow = {
  /** The intent's UUID. */
  id: string
  /** `dec_…` */
  decisionId: string
  eventId: string
  /** The name is null if the site was deleted. */
  site: { id: string; name: string | null }
  action: string
  outcome: Outcome
  businessType: string
  occurredAt: number
  receivedAt: number
  /** 1 plus the number of corrections. */
  revision: number
}

type Row = Omit<FeedbackRow, 'decisionId' | 'site'> & { siteId: string; siteName: string | null }

/** What the tenant's sites reported, the newest first: of each decision the latest report, which is the one that counts. */
export async function listFeedback(
  ctx: Db,
  tenant: TenantSites,
  { from, to, outcome, type, action, site, cursor, limit }: FeedbackQuery & PageInput,
): Promise<Page<FeedbackRow>> {
  const { rows, nextCursor } = await scan<Row>(ctx, {
    table: 'feedback_event',
    tenant,
    from,
    to,
    wanted: [
      outcome !== undefined && Prisma.sql`e.outcome = ${outcome}::feedback_outcome`,
      type !== undefined && Prisma.sql`e.business_type = ${type}`,
      site !== undefined && Prisma.sql`e.site_id = ${site}::uuid`,
    ],
    lookup: {
      join: Prisma.sql`left join decision d on d.id = e.decision_id and d.tenant_id = e.tenant_id`,
      columns: Prisma.sql`, d.action`,
      wanted: [
        Prisma.sql`d.id is not null`,
        action !== undefined && Prisma.sql`d.action = ${action}`,
        Prisma.sql`not exists (
          select 1 from feedback_event n
          where n.decision_id = e.decision_id and n.tenant_id = e.tenant_id and n.revision > e.revision)`,
      ],
    },
    columns: Prisma.sql`e.decision_id::text as id, e.event_id::text as "eventId", e.site_id::text as "siteId",
      s.name as "siteName", e.action, e.outcome::text as outcome, e.business_type as "businessType", e.revision,
      floor(extract(epoch from e.occurred_at))::float8 as "occurredAt",
      floor(extract(epoch from e.created_at))::float8 as "receivedAt"`,
    joins: Prisma.sql`left join site_name s on s.id = e.site_id and s.tenant_id = e.tenant_id`,
    cursor,
    limit,
  })
  return { rows: rows.map(toReport), nextCursor }
}

const toReport = ({ siteId, siteName, ...row }: Row): FeedbackRow => ({
  id: row.id,
  decisionId: decisionId(row.id),
  eventId: row.eventId,
  site: { id: siteId, name: siteName },
  action: row.action,
  outcome: row.outcome,
  businessType: row.businessType,
  occurredAt: row.occurredAt,
  receivedAt: row.receivedAt,
  revision: row.revision,
})
