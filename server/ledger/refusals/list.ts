import { Prisma } from '../../../prisma/client/client.ts'
import type { RefusalFilters } from '../../contract/filters.ts'
import { requestId, uuidOfHex } from '../../contract/ids.ts'
import type { Db } from '../../kit/db/transact.ts'
import { wildcardPattern } from '../../kit/http/escape.ts'
import type { Page, PageInput } from '../page.ts'
import { scan } from '../scan.ts'
import type { TenantSites } from '../tenantSites.ts'
import type { Period } from '../usage/period.ts'

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

type Row = Omit<RefusalRow, 'id' | 'site'> & { id: string; siteId: string; siteName: string | null }

/** What the API refused the tenant's sites, the newest first. Kept for 30 days, up to a rate per site. */
export async function listRefusals(
  ctx: Db,
  tenant: TenantSites,
  {
    from,
    to,
    site,
    request,
    reference,
    endpoint,
    code,
    field,
    hostname,
    cursor,
    limit,
  }: Period & RefusalFilters & PageInput,
): Promise<Page<RefusalRow>> {
  const { rows, nextCursor } = await scan<Row>(ctx, {
    table: 'refusal',
    tenant,
    from,
    to,
    within: [
      site !== undefined && Prisma.sql`r.site_id = ${site}::uuid`,
      reference !== undefined && Prisma.sql`r.reference = ${reference}`,
      request !== undefined && Prisma.sql`r.id = ${uuidOfHex(request.slice(4))}::uuid`,
    ],
    wanted: [
      endpoint !== undefined && Prisma.sql`r.endpoint = ${endpoint}`,
      code !== undefined && Prisma.sql`r.code = ${code}`,
      field !== undefined && Prisma.sql`r.field = ${field}`,
      hostname !== undefined && Prisma.sql`r.hostname ilike ${wildcardPattern(hostname)}`,
    ],
    columns: Prisma.sql`r.id::text, r.site_id::text as "siteId", s.name as "siteName",
      floor(extract(epoch from r.at))::float8 as at, r.endpoint, r.code, r.field, r.hostname,
      r.intent_id::text as "intentId", r.key_hint as "keyHint"`,
    joins: Prisma.sql`left join site_name s on s.id = r.site_id and s.tenant_id = r.tenant_id`,
    cursor,
    limit,
  })
  return { rows: rows.map(toRefusal), nextCursor }
}

const toRefusal = (row: Row): RefusalRow => ({
  id: requestId(row.id),
  site: { id: row.siteId, name: row.siteName },
  at: row.at,
  endpoint: row.endpoint,
  code: row.code,
  field: row.field,
  hostname: row.hostname,
  intentId: row.intentId,
  keyHint: row.keyHint,
})
