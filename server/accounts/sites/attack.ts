import type { MemberCtx } from '../access.ts'
import { type ActorContext, change } from '../change.ts'
import { findOwnSite } from './find.ts'
import { type SiteView, viewSite } from './view.ts'

/** How long attack mode lasts. */
const ATTACK_MS = 3_600_000

/**
 * Puts a site into attack mode for an hour from now, or ends it early: immediately on this node, on all nodes within 10 s.
 * It ends without a further change, because the verification path compares the time. Throws AppError.
 */
export async function setAttackMode(
  ctx: ActorContext & Pick<MemberCtx, 'clock'> & { tenant: { id: string } },
  input: { site: string; on: boolean },
): Promise<SiteView> {
  return change(ctx, async (ctx) => {
    const { id, tenantId } = await findOwnSite(ctx, input.site)
    const attackUntil = input.on ? new Date(ctx.clock.now() + ATTACK_MS) : null
    await ctx.prisma.site.update({ where: { id }, data: { attackUntil } })
    return {
      out: await viewSite(ctx, id),
      change: {
        tenantId,
        action: input.on ? 'site.start_attack_mode' : 'site.end_attack_mode',
        target: id,
        invalidates: true,
        ...(attackUntil && { after: { until: attackUntil.toISOString() } }),
      },
    }
  })
}
