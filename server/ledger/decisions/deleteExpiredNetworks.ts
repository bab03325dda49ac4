import type { Context, Resource } from '../../kit/context.ts'
import { firstIdOf, LEAST_ID } from '../../kit/crypto/ids.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'

/** Decisions in a statement, so that each ends within the bounds of the hot pool however many there are. */
const PAGE = 5000
/**
 * A job that missed some days catches up. The first run of a process reads all decisions, because a longer setting may have
 * applied before.
 */
export const CATCH_UP_DAYS = 10

/** `$1`: the days that networks are kept. `$2`: the last id of the page before, or null for the first of the catch-up. */
const DELETE_EXPIRED = {
  name: 'delete_expired_networks',
  text: `/* delete_expired_networks */ with page as (
      select id, tenant_id from decision
      where id > coalesce($2::uuid, ${firstIdOf(`now() - make_interval(days => $1::int + ${CATCH_UP_DAYS})`)})
        and id < ${firstIdOf('now() - make_interval(days => $1::int)')}
      order by id limit ${PAGE}
    ), deleted as (
      update decision d set network = null, area = null, subject = null from page
      where d.id = page.id and d.tenant_id = page.tenant_id and coalesce(d.network, d.area, d.subject) is not null
        and d.redeemed_at < now() - make_interval(days => $1::int) returning 1
    )
    select (select id from page order by id desc limit 1) as last, (select count(*) from page)::int as read,
      (select count(*) from deleted)::int as deleted`,
}

/** `$1`: as above. A page of marks, which are few. */
const DELETE_MARKS = {
  name: 'delete_expired_marks',
  text: `/* delete_expired_marks */ delete from feedback_mark m using (
      select decision_id, tenant_id from feedback_mark
      where decision_id < ${firstIdOf('now() - make_interval(days => $1::int)')} limit ${PAGE}
    ) old where m.decision_id = old.decision_id and m.tenant_id = old.tenant_id returning 1`,
}

type Page = { last: string | null; read: number; deleted: number }

const RUNS: Resource<{ first: boolean }> = { name: 'deleted networks', make: () => ({ first: true }) }

/**
 * Deletes the hashes of clients' networks and subjects after some days, and the marks that feedback made of them; the decision
 * and its charge are kept. Returns of how many decisions.
 */
export async function deleteExpiredNetworks(
  ctx: Pick<Context, 'hotPool' | 'config' | 'resources'>,
  pace: Pace = atOnce,
): Promise<number> {
  const { networkDays } = ctx.config.retention
  while ((await pace(() => ctx.hotPool.query(DELETE_MARKS, [networkDays]))).length === PAGE);
  const runs = ctx.resources.of(RUNS)
  let after: string | null = runs.first ? LEAST_ID : null
  for (let deleted = 0; ; ) {
    const [page] = await pace(() => ctx.hotPool.query<Page>(DELETE_EXPIRED, [networkDays, after]))
    deleted += page?.deleted ?? 0
    after = page?.last ?? null
    if (!page || page.read < PAGE) {
      runs.first = false
      return deleted
    }
  }
}
