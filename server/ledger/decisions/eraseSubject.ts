import type { Context } from '../../kit/context.ts'
import { subjectHash } from '../feedback/marks.ts'
import { CATCH_UP_DAYS } from './deleteExpiredNetworks.ts'

/** `$1`: the tenant. `$2`: first bytes of the subject. `$3`: how many days ago; -1 is for clocks that differ. */
const ERASE = {
  name: 'erase_subject',
  text: `/* erase_subject */ with erased as (
      update decision set subject = null
      where tenant_id = $1::uuid and subject = $2::bytea
        and redeemed_at >= now() - make_interval(days => $3::int + 1) and redeemed_at < now() - make_interval(days => $3::int)
      returning 1
    ) select count(*)::int as n from erased`,
}

/** Removes a subject from the tenant's decisions, those of a day in each statement. Returns how many had it. */
export async function eraseDecidedSubject(
  ctx: Pick<Context, 'hotPool' | 'config'>,
  tenant: { id: string },
  subject: string,
): Promise<number> {
  let erased = 0
  for (let day = -1; day < ctx.config.retention.networkDays + CATCH_UP_DAYS; day++) {
    const [row] = await ctx.hotPool.query<{ n: number }>(ERASE, [tenant.id, subjectHash(subject), day])
    erased += row?.n ?? 0
  }
  return erased
}
