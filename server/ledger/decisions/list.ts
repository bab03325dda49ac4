import { Prisma } from '../../../prisma/client/client.ts'
import type { Db } from '../../kit/db/transact.ts'
import type { PageInput } from '../page.ts'
import { type ScannedPage, scan } from '../scan.ts'
import type { TenantSites } from '../tenantSites.ts'
import {
  COLUMNS,
  type DecisionQuery,
  type DecisionRecord,
  type DecisionRow,
  ofItself,
  ofOutcome,
  ofSite,
  toRow,
  WITH_OUTCOME,
} from './read.ts'

/** Unix seconds: `from` belongs to it, `to` does not. */
type TimeRange = { from?: number | undefined; to?: number | undefined }

/** The tenant's decisions, the newest first. `most`: how many a page reads at most. */
export async function listDecisions(
  ctx: Db,
  tenant: TenantSites,
  input: DecisionQuery & TimeRange & PageInput,
  { most }: { most?: number } = {},
): Promise<ScannedPage<DecisionRow>> {
  const page = await scan<DecisionRecord>(ctx, {
    table: 'decision',
    tenant,
    from: input.from,
    to: input.to,
    within: ofSite(input),
    wanted: ofItself(input),
    lookup: { join: WITH_OUTCOME, columns: Prisma.sql`, f.outcome`, wanted: ofOutcome(input) },
    columns: COLUMNS,
    joins: Prisma.sql`left join site_name s on s.id = d.site_id`,
    cursor: input.cursor,
    limit: input.limit,
    most,
  })
  return { ...page, rows: page.rows.map(toRow) }
}
