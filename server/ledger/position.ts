import { Prisma } from '../../prisma/client/client.ts'
import type { Db } from '../kit/transact.ts'

/** A list over a table, the newest first. */
type Listed = { table: 'decision' | 'refusal' | 'captcha_grant'; at: 'redeemed_at' | 'at' | 'created_at' }

/**
 * The condition for rows after the row with id `cursor`; without a cursor, all rows. If that row was deleted,
 * no rows follow: the oldest rows are deleted, and starting again would repeat the list forever. Looked up separately and
 * given as a value: of a moment that a statement has yet to find out the planner expects next to no rows, and sorts all
 * there are instead of walking an index (measured: 460 ms instead of 15 with half a million).
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
  // said twice: the first is what the index starts from
  return Prisma.sql`${column} <= ${row.at}::timestamptz and (${column}, id) < (${row.at}::timestamptz, ${cursor}::uuid)`
}

/** A row of a scan that is bounded. `passes`: what was asked for; `last`: where the scan ended. */
export type Scanned = { id: string; passes: boolean; last: boolean }

/**
 * The page of a scan that was read one row beyond the limit, the row where it ended among them. It may have fewer rows
 * than the limit, even none, and still be followed by another.
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
