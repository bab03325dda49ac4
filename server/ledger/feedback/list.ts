import { Prisma } from '../../../prisma/client/client.ts'
import type { Outcome } from '../../../prisma/client/enums.ts'
import { decisionId } from '../../kit/ids.ts'
import type { Page, PageInput } from '../../kit/page.ts'
import type { Db } from '../../kit/transact.ts'
import type { Period } from '../usage/period.ts'

/** The period is that of the report's receipt. All given filters must match. */
export type FeedbackQuery = Period & {
  outcome?: Outcome | undefined
  /** The merchant's own value. */
  type?: string | undefined
  /** The action of the decision. */
  action?: string | undefined
  site?: string | undefined
}

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

type Row = Omit<FeedbackRow, 'decisionId' | 'site'> & {
  siteId: string
  siteName: string | null
  at: number
  passes: boolean
}

/** Maximum reports that one page scans, so that a filter that almost nothing matches does not read a year. */
const SCANNED_FEEDBACK = 10_000

/** The end of a page: the report's time in milliseconds and its decision, because the report may be superseded meanwhile. */
const CURSOR = /^(\d{1,16})\.([0-9a-f-]{36})$/

/**
 * Feedback of the tenant's sites, newest first: the latest report of each decision. A
 * page may have fewer than `limit` rows and not be the last; only `nextCursor` is null at the end.
 */
export async function listFeedback(
  { prisma }: Db,
  tenant: { id: string },
  { from, to, outcome, type, action, site, cursor, limit }: FeedbackQuery & PageInput,
): Promise<Page<FeedbackRow>> {
  const [, ms = null, decision = null] = CURSOR.exec(cursor ?? '') ?? []
  const begin = ms === null ? Prisma.sql`'infinity'` : Prisma.sql`to_timestamp(${Number(ms)}::float8 / 1000)`
  const same = (column: Prisma.Sql, value: string | undefined) =>
    value === undefined ? Prisma.empty : Prisma.sql`and ${column} = ${value}`
  const rows = await prisma.$queryRaw<Row[]>`
    with scanned as (
      select e.* from feedback_event e
      where e.tenant_id = ${tenant.id}::uuid
        and e.created_at >= to_timestamp(${from}::float8) and e.created_at < to_timestamp(${to}::float8)
        -- redundant: the first condition bounds the index scan
        and e.created_at <= ${begin}
        and (${decision}::uuid is null or (e.created_at, e.decision_id) < (${begin}, ${decision}::uuid))
      order by e.created_at desc, e.decision_id desc limit ${SCANNED_FEEDBACK}
    ), passing as (
      select e.*, d.action from scanned e
      join decision d on d.id = e.decision_id and d.tenant_id = e.tenant_id
      where not exists (
          select 1 from feedback_event n
          where n.decision_id = e.decision_id and n.tenant_id = e.tenant_id and n.revision > e.revision)
        ${outcome === undefined ? Prisma.empty : Prisma.sql`and e.outcome = ${outcome}::feedback_outcome`}
        ${same(Prisma.sql`e.business_type`, type)} ${same(Prisma.sql`d.action`, action)}
        ${site === undefined ? Prisma.empty : Prisma.sql`and e.site_id = ${site}::uuid`}
      order by e.created_at desc, e.decision_id desc limit ${limit + 1}
    ), last as (
      -- if the scan ended without a full page
      select s.*, '' as action, false as passes from scanned s
      where (select count(*) from scanned) = ${SCANNED_FEEDBACK} and (select count(*) from passing) <= ${limit}
      order by s.created_at, s.decision_id limit 1
    )
    select e.decision_id::text as id, e.event_id::text as "eventId", e.site_id::text as "siteId", s.name as "siteName",
      e.action, e.outcome::text as outcome, e.business_type as "businessType", e.revision,
      floor(extract(epoch from e.occurred_at))::float8 as "occurredAt",
      floor(extract(epoch from e.created_at))::float8 as "receivedAt", (extract(epoch from e.created_at) * 1000)::float8 as at,
      e.passes
    from (select *, true as passes from passing union all select * from last) e
    left join site s on s.id = e.site_id and s.tenant_id = ${tenant.id}::uuid
    order by e.passes desc, e.created_at desc, e.decision_id desc`
  const passing = rows.filter(({ passes }) => passes)
  const shown = passing.slice(0, limit)
  const end = passing.length > limit ? shown.at(-1) : rows.find(({ passes }) => !passes)
  return {
    rows: shown.map(toReport),
    nextCursor: end ? `${end.at}.${end.id}` : null,
  }
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
