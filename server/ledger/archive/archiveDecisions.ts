import { join } from 'node:path'
import type { Context } from '../../kit/context.ts'
import { OperatorError } from '../../kit/error.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'
import { directoryError, REMEDIES } from './checkDirectory.ts'
import { checksumOf, fileOf, writeArchive } from './file.ts'
import { linesOf, tenantsOfDay } from './lines.ts'

const PAGE = 1000

type Day = { day: string; file: string; sha256: string; rows: number; deleted: number }

type Deleted = { n: number; last: string | null }

const DELETE = {
  name: 'delete_archived_decisions',
  text: 'select deleted::int as n, last::text as last from delete_archived_decisions($1::date, $2::uuid, $3::timestamptz, $4::int)',
}

type Archiving = Pick<Context, 'prisma' | 'hotPool' | 'config'>

/**
 * Writes the decisions of each UTC day that is older than the retention to a file, and deletes them once the file is complete. A
 * run that was interrupted is continued by the next one. Does nothing without KEEP_DECISIONS_DAYS. Returns how many decisions it
 * deleted. Throws OperatorError if a file is not as it was written; then nothing of its day is deleted.
 */
export async function archiveDecisions(ctx: Archiving, pace: Pace = atOnce): Promise<number> {
  const { archiveDir: directory, retention } = ctx.config
  const { decisionDays } = retention
  if (directory === undefined || decisionDays === undefined) return 0
  let deleted = 0
  for (const unfinished of await recorded(ctx)) deleted += await deleteDay(ctx, directory, unfinished, pace)
  for (let oldest = await oldestDay(ctx, decisionDays); oldest; oldest = await oldestDay(ctx, decisionDays)) {
    const { day, archived } = oldest
    if (archived) throw new OperatorError(`There are decisions of ${day} that ${fileOf(day)} does not have.`)
    const { file, rows, sha256 } = await writeDay(ctx, directory, day)
    await ctx.prisma.$queryRaw`select record_archive(${day}::date, ${file}, ${rows}::bigint, ${sha256})::text`
    deleted += await deleteDay(ctx, directory, { day, file, rows, sha256, deleted: 0 }, pace)
  }
  return deleted
}

/** The days with a file that have decisions left, from the oldest. */
const recorded = ({ prisma }: Archiving): Promise<Day[]> => prisma.$queryRaw<Day[]>`
  select day::text as day, file, sha256, rows::float8 as rows, deleted::float8 as deleted from decision_archive
  where deleted < rows order by day`

/** The UTC day of the oldest decision, if all of that day is older than the retention. */
async function oldestDay({ prisma }: Archiving, decisionDays: number) {
  const [row] = await prisma.$queryRaw<{ day: string; archived: boolean }[]>`
    select o.day::text as day, exists (select from decision_archive a where a.day = o.day) as archived from (
      select min((d.redeemed_at at time zone 'utc')::date) as day from tenant t
      cross join lateral (select redeemed_at from decision x where x.tenant_id = t.id order by redeemed_at limit 1) d
    ) o where o.day < (now() at time zone 'utc')::date - ${decisionDays}::int`
  return row
}

async function writeDay({ hotPool }: Archiving, directory: string, day: string) {
  try {
    return await writeArchive(directory, day, linesOf(hotPool, day))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // never created here: it may be the mount that is missing
    if (code === 'ENOENT')
      throw new OperatorError(`${directory} does not exist. Create it, or mount it, as ARCHIVE_DIR.`)
    if (code !== undefined && code in REMEDIES) throw directoryError(directory, error)
    throw error
  }
}

async function deleteDay({ hotPool }: Archiving, directory: string, archive: Day, pace: Pace): Promise<number> {
  const { day, file, sha256, rows } = archive
  const found = await checksumOf(join(directory, file))
  if (found !== sha256)
    throw new OperatorError(
      found === undefined
        ? `${join(directory, file)} does not exist. Decisions of ${day} were not deleted. ARCHIVE_DIR must be the same directory on all nodes, and keep its files.`
        : `${join(directory, file)} was changed: its SHA-256 is ${found}, not ${sha256}. Decisions of ${day} were not deleted. Restore the file.`,
    )
  let deleted = 0
  for (const tenant of await tenantsOfDay(hotPool, day)) {
    let last: string | null = null
    for (let n = PAGE; n === PAGE; deleted += n) {
      const [row]: Deleted[] = await pace(() => hotPool.query<Deleted>(DELETE, [day, tenant, last, PAGE]))
      n = row?.n ?? 0
      last = row?.last ?? null
    }
  }
  if (archive.deleted + deleted !== rows)
    throw new OperatorError(`${file} has ${rows} decisions, but ${archive.deleted + deleted} of that day were deleted.`)
  return deleted
}
