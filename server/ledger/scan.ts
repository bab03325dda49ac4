import { Prisma } from '../../prisma/client/client.ts'
import { UUID } from '../contract/ids.ts'
import type { Db } from '../kit/db/transact.ts'
import type { Page } from './page.ts'
import { ofEachSite, ofSites, type TenantSites } from './tenantSites.ts'

/** Tables that only grow at their new end: the name that fragments of a statement use for the row, its time and its id. */
const TABLES = {
  decision: { row: 'd', at: 'redeemed_at', id: 'id' },
  refusal: { row: 'r', at: 'at', id: 'id' },
  feedback_event: { row: 'e', at: 'created_at', id: 'decision_id' },
  captcha_grant: { row: 'g', at: 'created_at', id: 'id' },
} as const

/** Rows that one page reads at most, so that a filter that almost no row passes does not read a year. */
const SCANNED = 10_000

export type Scan = {
  table: keyof typeof TABLES
  tenant: TenantSites
  /** Unix seconds: `from` belongs to the period, `to` does not. */
  from?: number | undefined
  to?: number | undefined
  /** Which rows are read: conditions for which there is an index. */
  within?: Conditions
  /** Which of them are returned. */
  wanted?: Conditions
  /** A join that is made only for wanted rows, the columns that it adds, and conditions on them. */
  lookup?: { join: Prisma.Sql; columns?: Prisma.Sql; wanted?: Conditions }
  /** What is returned of a row, and the joins that only this needs: they are made for one page. */
  columns: Prisma.Sql
  joins: Prisma.Sql
  /** The `nextCursor` of another page. */
  cursor?: string | undefined
  limit: number
  /** Rows to read at most. */
  most?: number | undefined
}

/** Conditions that must all hold; `false` stands for a filter that is not set. */
export type Conditions = (Prisma.Sql | false)[]

/** `searchedTo`: the time (Unix seconds) down to which the page looked; null if it looked at everything. */
export type ScannedPage<Row> = Page<Row> & { searchedTo: number | null }

type Read = { scan_at: number; scan_id: string; passes: boolean | null; last: boolean }

/** A cursor: the time of a row, in Unix seconds with microseconds, and its id. It holds when the row has been deleted. */
export const CURSOR = new RegExp(`^(\\d{1,12}\\.\\d{6})~(${UUID.source.slice(1, -1)})$`)

/**
 * The tenant's rows, the newest first. A page reads a bounded number of rows: it may have fewer rows than `limit`, even
 * none, and still be followed by another.
 */
export async function scan<Row>({ prisma }: Db, input: Scan): Promise<ScannedPage<Row>> {
  const { table, tenant, lookup, limit, most = SCANNED } = input
  const names = TABLES[table]
  const row = Prisma.raw(names.row)
  const at = Prisma.raw(`${names.row}.${names.at}`)
  const id = Prisma.raw(`${names.row}.${names.id}`)
  const order = Prisma.sql`order by ${at} desc, ${id} desc`
  const moment = (seconds: number | string) => Prisma.sql`to_timestamp(${Number(seconds)}::float8)`
  const [, endAt, endId] = CURSOR.exec(input.cursor ?? '') ?? []
  if (input.cursor !== undefined && endAt === undefined) throw new RangeError(`not a cursor: ${input.cursor}`)
  const read = [
    Prisma.sql`${row}.tenant_id = ${tenant.id}::uuid`,
    input.from !== undefined && Prisma.sql`${at} >= ${moment(input.from)}`,
    input.to !== undefined && Prisma.sql`${at} < ${moment(input.to)}`,
    // the first condition is what the index starts from
    endAt !== undefined &&
      Prisma.sql`${at} <= ${moment(endAt)} and (${at}, ${id}) < (${moment(endAt)}, ${endId}::uuid)`,
    ...(input.within ?? []),
  ]
  const site = Prisma.sql`${row}.site_id`
  // of the other tables, no index has the times of each site
  const indexed = table === 'decision' || table === 'refusal' ? tenant : {}
  const wanted = [...(input.wanted ?? []), indexed !== tenant && ofSites(tenant, site)]
  const readRows = (isOfSite: Prisma.Sql) => Prisma.sql`
    select ${row}.* from ${Prisma.raw(table)} ${row} where ${all(read)} and ${isOfSite} ${order} limit ${most}::int`
  const found = all(lookup?.wanted ?? [])
  const rows = await prisma.$queryRaw<(Row & Read)[]>`
    select ${input.columns}, ${row}.passes, ${row}.last,
      extract(epoch from ${at})::float8 as scan_at, ${id}::text as scan_id
    from (
      select ${row}.*${lookup?.columns ?? Prisma.empty}, ${row}.wanted and ${found} as passes
      from (
        select * from (
          select ${row}.*, ${all(wanted)} as wanted,
            row_number() over (${order}) = ${most}::int as last
          from (${ofEachSite(indexed, site, readRows)}) ${row}
          ${order}
          limit ${most}::int
        ) ${row}
        -- before anything is looked up
        where ${row}.wanted or ${row}.last
      ) ${row}
      ${lookup?.join ?? Prisma.empty}
      where ${row}.wanted and ${found} or ${row}.last
      ${order}
      limit ${limit + 1}::int
    ) ${row}
    ${input.joins}
    ${order}`
  const looked = rows.slice(0, limit)
  const end = looked.at(-1)
  // the row on which the scan ended is among the rows, wanted or not
  const more = end !== undefined && (rows.length > limit || end.last)
  return {
    rows: looked.filter(({ passes }) => passes),
    nextCursor: more ? `${end.scan_at.toFixed(6)}~${end.scan_id}` : null,
    searchedTo: more ? end.scan_at : null,
  }
}

/** All conditions that are set; true without any. */
export function all(conditions: Conditions): Prisma.Sql {
  const set = conditions.filter((condition) => condition !== false)
  return set.length === 0 ? Prisma.sql`true` : Prisma.sql`(${Prisma.join(set, ' and ')})`
}
