import { Prisma } from '../../prisma/client/client.ts'
import type { Db } from '../kit/transact.ts'

/** A table that is listed newest first. */
type Listed = { table: 'decision' | 'refusal' | 'captcha_grant'; at: 'redeemed_at' | 'at' | 'created_at' }

/**
 * The condition for rows after the row with id `cursor`; without a cursor, all rows. If that row was deleted,
 * no rows follow: the oldest rows are deleted, and starting again would repeat the list forever. Looked up separately and
 * passed as a value: if the statement looked it up itself, the planner would expect next to no rows and sort all
 * of them instead of scanning an index (measured: 460 ms instead of 15 with half a million rows).
 */
export async function after(
  { prisma }: Db,
  { table, at }: Listed,
  tenantId: string,
  cursor: string | null | undefined,
): Promise<Prisma.Sql> {
  if (cursor == null) return Prisma.sql`true`
  const column = Prisma.raw(at)
  const [row] = await prisma.$queryRaw<{ at: string }[]>`
    select ${column}::text as at from ${Prisma.raw(table)} where id = ${cursor}::uuid and tenant_id = ${tenantId}::uuid`
  if (!row) return Prisma.sql`false`
  // redundant: the first condition bounds the index scan
  return Prisma.sql`${column} <= ${row.at}::timestamptz and (${column}, id) < (${row.at}::timestamptz, ${cursor}::uuid)`
}

/** A row of a bounded scan. `passes`: matches the filters; `last`: the scan ended here. */
export type Scanned = { id: string; passes: boolean; last: boolean }

/**
 * The page of a scan that read one row beyond the limit, including the row where the scan ended. It may have fewer rows
 * than the limit, or none, and still be followed by another.
 */
export function toScannedPage<Row extends Scanned>(
  read: Row[],
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  const looked = read.slice(0, limit)
  const end = looked.at(-1)
  const more = end !== undefined && (read.length > limit || end.last)
  return { rows: looked.filter(({ passes }) => passes), nextCursor: more ? end.id : null }
}
