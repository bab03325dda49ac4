import type { Db } from '../../kit/db/transact.ts'

/** How long after its intent was opened a decision may be made. */
const INTENT_SECONDS = 300

/** The time (Unix seconds) before which the tenant's decisions are in files and no longer in the database; null if all are in it. */
export async function archivedBefore({ prisma }: Db, tenant: { id: string }): Promise<number | null> {
  const [row] = await prisma.$queryRaw<{ at: number | null }[]>`
    select extract(epoch from (max(day) + 1)::timestamp at time zone 'utc')::float8 as at from decision_archive
    where deleted > 0 and exists (select from archived_decisions where tenant_id = ${tenant.id}::uuid)`
  return row?.at ?? null
}

/** The archived files that may contain a decision, by the time in the UUIDv7 of its intent. */
export async function archivesOf({ prisma }: Db, intent: string): Promise<string[]> {
  const opened = Number.parseInt(intent.replaceAll('-', '').slice(0, 12), 16) / 1000
  const rows = await prisma.$queryRaw<{ file: string }[]>`
    select file from decision_archive
    where day between (to_timestamp(${opened}::float8) at time zone 'utc')::date
      and (to_timestamp(${opened + INTENT_SECONDS}::float8) at time zone 'utc')::date
    order by day`
  return rows.map(({ file }) => file)
}
