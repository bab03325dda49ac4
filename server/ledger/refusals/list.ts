import { Prisma } from '../../../prisma/client/client.ts'
import type { Page, PageInput } from '../../kit/page.ts'
import type { Db } from '../../kit/transact.ts'
import { after, type Scanned, toScannedPage } from '../position.ts'
import type { Period } from '../usage/period.ts'

export type RefusalQuery = Period & {
  site?: string | undefined
  endpoint?: string | undefined
  code?: string | undefined
  field?: string | undefined
}

/** A refused request. */
export type RefusalRow = {
  /** As the answer's X-Request-Id: `req_…`. */
  id: string
  site: { id: string; name: string | null }
  /** Unix seconds. */
  at: number
  endpoint: string
  code: string
  field: string | null
  hostname: string | null
  intentId: string | null
  keyHint: string | null
}

type Row = Omit<RefusalRow, 'id' | 'site'> & Scanned & { siteId: string; siteName: string | null }

/** Maximum rows that one page scans, so that a filter that almost nothing matches does not read a month. */
const SCANNED_REFUSALS = 10_000

/**
 * Refused requests of the tenant's sites, newest first. Kept for 30 days, up to a rate per site. A page may have
 * fewer than `limit` rows and not be the last; only `nextCursor` is null at the end.
 */
export async function listRefusals(
  { prisma }: Db,
  tenant: { id: string },
  { from, to, site, endpoint, code, field, cursor, limit }: RefusalQuery & PageInput,
): Promise<Page<RefusalRow>> {
  const conditions = [
    endpoint !== undefined && Prisma.sql`r.endpoint = ${endpoint}`,
    code !== undefined && Prisma.sql`r.code = ${code}`,
    field !== undefined && Prisma.sql`r.field = ${field}`,
  ].filter((condition) => condition !== false)
  const wanted = conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' and ')
  const position = await after({ prisma }, { table: 'refusal', at: 'at' }, tenant.id, cursor)
  const rows = await prisma.$queryRaw<Row[]>`
    select r.id::text, r.site_id::text as "siteId", s.name as "siteName", floor(extract(epoch from r.at))::float8 as at, r.endpoint,
      r.code, r.field, r.hostname, r.intent_id::text as "intentId", r.key_hint as "keyHint", r.passes, r.nth = ${SCANNED_REFUSALS} as last
    from (
      select r.*, ${wanted} as passes
      from (
        select r.*, row_number() over (order by r.at desc, r.id desc) as nth
        from refusal r
        where r.tenant_id = ${tenant.id}::uuid ${site === undefined ? Prisma.empty : Prisma.sql`and r.site_id = ${site}::uuid`}
          and r.at >= to_timestamp(${from}::float8) and r.at < to_timestamp(${to}::float8)
          and ${position}
        order by r.at desc, r.id desc
        limit ${SCANNED_REFUSALS}::int
      ) r
      where ${wanted} or r.nth = ${SCANNED_REFUSALS}
      order by r.at desc, r.id desc
      limit ${limit + 1}::int
    ) r
    left join site s on s.id = r.site_id and s.tenant_id = ${tenant.id}::uuid
    order by r.at desc, r.id desc`
  const page = toScannedPage(rows, limit)
  return { ...page, rows: page.rows.map(toRefusal) }
}

const toRefusal = (row: Row): RefusalRow => ({
  id: `req_${row.id.replaceAll('-', '')}`,
  site: { id: row.siteId, name: row.siteName },
  at: row.at,
  endpoint: row.endpoint,
  code: row.code,
  field: row.field,
  hostname: row.hostname,
  intentId: row.intentId,
  keyHint: row.keyHint,
})
