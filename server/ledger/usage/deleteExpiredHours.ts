import { LEAST_ID } from '../../kit/crypto/ids.ts'
import type { Db } from '../../kit/db/transact.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'
import { HOURS_KEPT } from './period.ts'

/** Counts that one statement deletes, and sites that one looks for. */
const CHUNK = 5000
const SITES = 500

/** `from`: its first hour, a time in the form of PostgreSQL. */
type Expired = { site: string; from: string }

/**
 * Deletes hourly counts older than `HOURS_KEPT`; the daily counts remain. Returns how many counts were deleted. What it reads is
 * proportional to what it deletes and to the number of sites: no statement reads again what an earlier one has deleted, which
 * stays in the index until a vacuum.
 */
export async function deleteExpiredHours(ctx: Db, pace: Pace = atOnce): Promise<number> {
  let total = 0
  let last = LEAST_ID
  for (;;) {
    const sites = await expiredFrom(ctx, last)
    for (const site of sites) total += await deleteOf(ctx, site, pace)
    last = sites.at(-1)?.site ?? last
    if (sites.length < SITES) return total
  }
}

/** The next sites that have expired counts, from this one on. Goes from site to site by the index. */
const expiredFrom = ({ prisma }: Db, least: string) => prisma.$queryRaw<Expired[]>`
  with recursive first as (
    (select site_id, hour from usage_hour where site_id >= ${least}::uuid order by site_id, hour limit 1)
    union all
    select next.site_id, next.hour from first cross join lateral (
      select site_id, hour from usage_hour u where u.site_id > first.site_id order by u.site_id, u.hour limit 1
    ) next
  )
  select site_id::text as site, hour::text as "from" from first
  where hour < now() - make_interval(secs => ${HOURS_KEPT}) limit ${SITES}`

async function deleteOf({ prisma }: Db, { site, from }: Expired, pace: Pace): Promise<number> {
  let total = 0
  let hour = from
  for (;;) {
    const [deleted] = await pace(
      () => prisma.$queryRaw<{ n: number; last: string | null }[]>`
      with deleted as (
        delete from usage_hour where ctid = any(array(
          select ctid from usage_hour
          where site_id = ${site}::uuid and hour >= ${hour}::timestamptz and hour < now() - make_interval(secs => ${HOURS_KEPT})
          order by hour limit ${CHUNK}
        )) returning hour
      )
      select count(*)::int as n, max(hour)::text as last from deleted`,
    )
    total += deleted?.n ?? 0
    if (!deleted || deleted.last === null || deleted.n < CHUNK) return total
    hour = deleted.last
  }
}
