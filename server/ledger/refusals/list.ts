import { Prisma } from '../../../prisma/client/client.ts'
import type { Page, PageInput } from '../../kit/page.ts'
import type { Writing } from '../../kit/transact.ts'
import type { Period } from '../usage/period.ts'

export type RefusalQuery = Period & {
  site?: string | undefined
  endpoint?: string | undefined
  code?: string | undefined
  field?: string | undefined
}

/** A request that was refused. */
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

type Row = Omit<RefusalRow, 'id' | 'site'> & { id: string; siteId: string; siteName: string | null; passes: boolean }

/** Rows that one page looks at: a filter that almost nothing passes must not read a month. */
const SCAN = 20_000

/**
 * What the API refused the tenant's sites, the newest first. Kept for 30 days, up to a rate per site. A page may hold
 * fewer than `limit` rows and still not be the last: `nextCursor` tells.
 */
export async function listRefusals(
  { prisma }: Writing,
  tenant: { id: string },
  { from, to, site, endpoint, code, field, cursor, limit }: RefusalQuery & PageInput,
): Promise<Page<RefusalRow>> {
  const same = (column: Prisma.Sql, value: string | undefined) =>
    value === undefined ? Prisma.empty : Prisma.sql`and ${column} = ${value}`
  const whose =
    site === undefined ? Prisma.sql`r.tenant_id = ${tenant.id}::uuid` : Prisma.sql`r.site_id = ${site}::uuid`
  const rows = await prisma.$queryRaw<Row[]>`
    with begin as (
      select at, id from refusal where id = ${cursor ?? null}::uuid and tenant_id = ${tenant.id}::uuid
    ), scanned as (
      select r.* from refusal r
      where ${whose} and r.tenant_id = ${tenant.id}::uuid
        and r.at >= to_timestamp(${from}::float8)
        and r.at <= coalesce((select at from begin), to_timestamp(${to}::float8))
        and (not exists (select 1 from begin) or (r.at, r.id) < (select at, id from begin))
      order by r.at desc, r.id desc limit ${SCAN}
    ), passing as (
      select * from scanned r
      where true ${same(Prisma.sql`r.endpoint`, endpoint)} ${same(Prisma.sql`r.code`, code)} ${same(Prisma.sql`r.field`, field)}
      order by r.at desc, r.id desc limit ${limit + 1}
    ), last as (
      -- where the scan ended without a full page
      select s.*, false as passes from scanned s
      where (select count(*) from scanned) = ${SCAN} and (select count(*) from passing) <= ${limit}
      order by s.at, s.id limit 1
    )
    select r.id::text, r.site_id::text as "siteId", s.name as "siteName", floor(extract(epoch from r.at))::float8 as at, r.endpoint,
      r.code, r.field, r.hostname, r.intent_id::text as "intentId", r.key_hint as "keyHint", r.passes
    from (select *, true as passes from passing union all select * from last) r
    left join site s on s.id = r.site_id and s.tenant_id = ${tenant.id}::uuid
    order by r.passes desc, r.at desc, r.id desc`
  const passing = rows.filter(({ passes }) => passes)
  const shown = passing.slice(0, limit)
  const end = passing.length > limit ? shown.at(-1) : rows.find(({ passes }) => !passes)
  return {
    rows: shown.map((row) => ({
      id: `req_${row.id.replaceAll('-', '')}`,
      site: { id: row.siteId, name: row.siteName },
      at: row.at,
      endpoint: row.endpoint,
      code: row.code,
      field: row.field,
      hostname: row.hostname,
      intentId: row.intentId,
      keyHint: row.keyHint,
    })),
    nextCursor: end?.id ?? null,
  }
}
