import type { Db } from '../../kit/db/transact.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'

/** Counts are written about a second late; what a node writes later, after an interruption, is still added. */
const SETTLED = '5 minutes'
/** Intents are deleted after 26 hours, so newer hours than this still have all of theirs. */
const INTENTS_KEPT = '24 hours'
/**
 * Hours in one statement: so that no lock is held for long, and each is answered in time. Two hours with 400,000 redemptions took
 * longer than the ten seconds that a statement has, on a machine with other work.
 */
const CHUNK = 1

/**
 * Compares the counts of the last `hours` completed hours with the rows, and corrects them and their days. Returns
 * how many counts were wrong. Challenges leave no row: their counts are raised to what was redeemed.
 */
export async function repairUsage({ prisma }: Db, hours: number, pace: Pace = atOnce): Promise<number> {
  let wrong = 0
  for (let ago = 0; ago < hours; ago += CHUNK) {
    const [row] = await pace(
      () => prisma.$queryRaw<{ wrong: number }[]>`
      select repair_usage(o.over - make_interval(hours => ${Math.min(hours, ago + CHUNK)}::int),
        o.over - make_interval(hours => ${ago}::int), date_trunc('hour', now() - ${INTENTS_KEPT}::interval, 'UTC')) as wrong
      from (select date_trunc('hour', now() - ${SETTLED}::interval, 'UTC') as over) o`,
    )
    wrong += row?.wrong ?? 0
  }
  return wrong
}
