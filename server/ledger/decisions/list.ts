import type { Page, PageInput } from '../../kit/page.ts'
import type { Db } from '../../kit/transact.ts'
import { after, type Scanned, toScannedPage } from '../position.ts'
import {
  COLUMNS,
  type DecisionFilters,
  type DecisionRecord,
  type DecisionRow,
  matchingItself,
  matchingOutcome,
  ofSite,
  toRow,
  WITH_OUTCOME,
} from './read.ts'

/** Maximum rows that one page scans, so that a rare match among millions is searched for in steps. */
export const SCANNED_DECISIONS = 10_000

/** Unix seconds, `from` inclusive, `to` exclusive. */
export type TimeRange = { from?: number | undefined; to?: number | undefined }

/** `searchedTo`: the time (Unix seconds) back to which the page searched; null if it searched everything. */
export type DecisionPage = Page<DecisionRow> & { searchedTo: number | null }

/**
 * The tenant's decisions, newest first. A page may have fewer rows than requested, or none, and still be followed
 * by another: it scans at most `scan` decisions.
 */
export async function listDecisions(
  ctx: Db,
  tenant: { id: string },
  input: DecisionFilters & TimeRange & PageInput,
  { scan = SCANNED_DECISIONS }: { scan?: number } = {},
): Promise<DecisionPage> {
  const { site, cursor = null, limit } = input
  const position = await after(ctx, { table: 'decision', at: 'redeemed_at' }, tenant.id, cursor)
  const rows = await ctx.prisma.$queryRaw<(DecisionRecord & Scanned)[]>`
    select ${COLUMNS}, d.passes, d.nth = ${scan}::int as last
    from (
      select d.*, f.outcome, d.itself and ${matchingOutcome(input)} as passes
      from (
        select * from (
        select d.*, ${matchingItself(input)} as itself, row_number() over (order by d.redeemed_at desc, d.id desc) as nth
        from decision d
        where d.tenant_id = ${tenant.id}::uuid ${ofSite(site)}
          and d.redeemed_at >= coalesce(to_timestamp(${input.from ?? null}::float8), '-infinity')
          and d.redeemed_at < coalesce(to_timestamp(${input.to ?? null}::float8), 'infinity')
          and ${position}
        order by d.redeemed_at desc, d.id desc
        limit ${scan}::int
        ) d
        -- before any report is looked up
        where d.itself or d.nth = ${scan}::int
      ) d
      ${WITH_OUTCOME}
      where d.itself and ${matchingOutcome(input)} or d.nth = ${scan}::int
      order by d.redeemed_at desc, d.id desc
      limit ${limit + 1}::int
    ) d
    left join site s on s.id = d.site_id
    order by d.redeemed_at desc, d.id desc`
  const page = toScannedPage(rows, limit)
  const searchedTo = rows.find(({ id }) => id === page.nextCursor)?.redeemed_at ?? null
  return { ...page, rows: page.rows.map(toRow), searchedTo }
}
