import type { Context, Resource } from '../../kit/context.ts'
import { firstIdOf } from '../../kit/ids.ts'

/**
 * `$2`: how many days back from the day on which they are due. Ten, so that a job that missed some days catches up; at the
 * first run of a process all, because a longer setting may have applied before.
 */
const DELETE_EXPIRED = {
  name: 'delete_expired_networks',
  text: `/* delete_expired_networks */ update decision set network = null
    where id >= ${firstIdOf('now() - make_interval(days => $1::int + $2::int)')}
      and id < ${firstIdOf('now() - make_interval(days => $1::int)')}
      and network is not null returning 1`,
}

const CATCH_UP_DAYS = 10
const ALL_DAYS = 10_000

const RUNS: Resource<{ first: boolean }> = { name: 'deleted networks', make: () => ({ first: true }) }

/** Deletes the hashes of client networks after some days; the decision and its charge are kept. Returns how many. */
export async function deleteExpiredNetworks(ctx: Pick<Context, 'hotPool' | 'config' | 'resources'>): Promise<number> {
  const runs = ctx.resources.of(RUNS)
  const days = [ctx.config.retention.networkDays, runs.first ? ALL_DAYS : CATCH_UP_DAYS]
  const rows = await ctx.hotPool.query(DELETE_EXPIRED, days)
  runs.first = false
  return rows.length
}
