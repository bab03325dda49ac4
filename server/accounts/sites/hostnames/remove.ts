import { AppError } from '../../../kit/error.ts'
import { type ActorContext, change } from '../../change.ts'

/** Removes a hostname from the site's list: immediately on this node, on all nodes within 10 s. Throws AppError. */
export async function removeHostname(
  ctx: ActorContext,
  site: { id: string; tenantId: string },
  hostname: string,
): Promise<{ hostname: string }> {
  return change(ctx, async (ctx) => {
    const { count } = await ctx.prisma.hostname.deleteMany({ where: { siteId: site.id, hostname } })
    if (count === 0) throw new AppError('hostname-not-found', { hostname })
    return {
      out: { hostname },
      change: {
        tenantId: site.tenantId,
        action: 'hostname.remove',
        target: site.id,
        invalidates: true,
        before: { hostname },
      },
    }
  })
}
