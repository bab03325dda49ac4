import type { Context } from '../../kit/context.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'

const CHUNK = 5000

/** Removes the session hashes of grants that expired some time ago; the grant is kept for the list. Returns how many. */
export async function sweepGrants(
  { prisma, config }: Pick<Context, 'prisma' | 'config'>,
  pace: Pace = atOnce,
): Promise<number> {
  const { grantSessionHours: hours } = config.retention
  let from = '-infinity'
  for (let swept = 0; ; ) {
    const [batch] = await pace(
      () => prisma.$queryRaw<{ n: number; last: string | null }[]>`
      with swept as (
        update captcha_grant set session = null
        where ctid = any(array(
          select ctid from captcha_grant
          where session is not null and expires_at >= ${from}::timestamptz and expires_at < now() - make_interval(hours => ${hours})
          order by expires_at limit ${CHUNK}))
          and session is not null and expires_at < now() - make_interval(hours => ${hours})
        returning expires_at
      )
      select count(*)::int as n, max(expires_at)::text as last from swept`,
    )
    swept += batch?.n ?? 0
    if (!batch?.last || batch.n < CHUNK) return swept
    from = batch.last
  }
}
