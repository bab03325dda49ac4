import type { Prisma } from '../../../../prisma/client/client.ts'
import { AppError } from '../../../kit/error.ts'

/** The old one and the new one of a rotation. */
const LIVE_MAX = 2

/** Serialises changes of a site's secrets until the transaction ends, and returns the number of active ones. */
export async function lockSecrets(ctx: { prisma: Prisma.TransactionClient }, site: { id: string }): Promise<number> {
  await ctx.prisma.$queryRaw`select 1 from site where id = ${site.id}::uuid for no key update`
  const [row] = await ctx.prisma.$queryRaw<{ live: number }[]>`
    select count(*)::int as live from secret
    where site_id = ${site.id}::uuid and revoked_at is null and (expires_at is null or expires_at > now())`
  return row?.live ?? 0
}

/** Throws AppError if another secret would exceed the limit. */
export function checkRoom(live: number): void {
  if (live >= LIVE_MAX) throw new AppError('too-many-secrets', { live })
}
