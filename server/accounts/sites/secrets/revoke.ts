import { AppError } from '../../../kit/error.ts'
import { type ActorContext, change } from '../../change.ts'

/** Revokes a secret: immediately on this node, on all nodes within 10 s. Cannot be undone. Throws AppError. */
export async function revokeSecret(
  ctx: ActorContext,
  site: { id: string; tenantId: string },
  secret: string,
): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    const [ended] = await ctx.prisma.$queryRaw<{ last4: string }[]>`
      update secret set revoked_at = now()
      where id = ${secret}::uuid and site_id = ${site.id}::uuid and revoked_at is null
      returning last4`
    if (!ended) throw new AppError('secret-not-found')
    return {
      out: { id: secret },
      change: {
        tenantId: site.tenantId,
        action: 'secret.revoke',
        target: site.id,
        invalidates: true,
        before: { secret, last4: ended.last4 },
      },
    }
  })
}
