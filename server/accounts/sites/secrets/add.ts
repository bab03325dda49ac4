import { type ActorContext, change } from '../../change.ts'
import { issueSecret } from './issue.ts'
import { checkRoom, lockSecrets } from './live.ts'

/** Creates another secret of the site. Its text is returned only here. At most two are active. Throws AppError. */
export async function addSecret(
  ctx: ActorContext,
  site: { id: string; tenantId: string },
): Promise<{ id: string; secret: string; last4: string }> {
  return change(ctx, async (ctx) => {
    checkRoom(await lockSecrets(ctx, site))
    const issued = await issueSecret(ctx, site)
    return {
      out: issued,
      change: {
        tenantId: site.tenantId,
        action: 'secret.issue',
        target: site.id,
        after: { secret: issued.id, last4: issued.last4 },
      },
    }
  })
}
