import type { Writing } from '../../kit/transact.ts'

/** Counts are written a second behind; what a node that was cut off for longer still brings is counted all the same. */
const SETTLED = '5 minutes'
/** Permits are swept after 26 hours: hours younger than this still have all of theirs. */
const PERMITS_KEPT = '24 hours'

/**
 * Holds the counts of the last `hours` hours that are over against the rows, an hour at a time, and corrects them and
 * their days. Returns how many counts were wrong. Challenges leave no row: their counts are raised to what was redeemed.
 */
export async function mendUsage({ prisma }: Writing, hours: number): Promise<number> {
  let wrong = 0
  for (let ago = 1; ago <= hours; ago++) {
    const [row] = await prisma.$queryRaw<{ wrong: number }[]>`
      select mend_usage(h.hour, h.hour > now() - ${PERMITS_KEPT}::interval) as wrong
      from (select date_trunc('hour', now() - ${SETTLED}::interval, 'UTC') - make_interval(hours => ${ago}::int) as hour) h`
    wrong += row?.wrong ?? 0
  }
  return wrong
}
