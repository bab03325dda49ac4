import { AppError } from '../../../kit/error.ts'
import { type ActorContext, change } from '../../change.ts'
import { TEST_TENANT } from '../testKeys/ensure.ts'
import { issueSecret } from './issue.ts'
import { checkRoom, lockSecrets } from './live.ts'

/** Seconds. */
export const OVERLAP_MAX = 30 * 86_400

/**
 * Creates a new secret and keeps the site's others active for `overlap` more seconds (0: they stop now, on all nodes within
 * 10 s). A secret that ends earlier keeps its end. With an overlap, at most two are active. Throws AppError.
 */
export async function rotateSecret(
  ctx: ActorContext,
  site: { id: string; tenantId: string },
  overlap: number,
): Promise<{ id: string; secret: string; last4: string }> {
  if (site.tenantId === TEST_TENANT) throw new AppError('test-key')
  return change(ctx, async (ctx) => {
    const live = await lockSecrets(ctx, site)
    if (overlap > 0) checkRoom(live)
    const ended = await ctx.prisma.$executeRaw`
      update secret set
        revoked_at = case when ${overlap}::int = 0 then now() end,
        expires_at = least(expires_at, now() + make_interval(secs => ${overlap}::int))
      where site_id = ${site.id}::uuid and revoked_at is null and (expires_at is null or expires_at > now())`
    const issued = await issueSecret(ctx, site)
    return {
      out: issued,
      change: {
        tenantId: site.tenantId,
        action: 'secret.rotate',
        target: site.id,
        invalidates: true,
        after: { secret: issued.id, last4: issued.last4, overlap, ended },
      },
    }
  })
}
