import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { type ActorContext, change } from '../change.ts'
import { checkName } from '../name.ts'
import { emitEvent } from '../webhooks/emit.ts'
import { findOwnSite } from './find.ts'
import { type SiteView, viewSite } from './view.ts'

/** Renames a site. Throws AppError. */
export async function renameSite(ctx: MemberCtx, input: { site: string; name: string }): Promise<SiteView> {
  const name = checkName('site', input.name)
  return change(ctx, async (ctx) => {
    const site = await findOwnSite(ctx, input.site)
    await ctx.prisma.site.update({ where: { id: site.id }, data: { name } })
    return {
      out: await viewSite(ctx, site.id),
      change: {
        tenantId: site.tenantId,
        action: 'site.rename',
        target: site.id,
        before: { name: site.name },
        after: { name },
      },
    }
  })
}

/** Pauses or resumes a site: immediately on this node, on all nodes within 10 s. Throws AppError. */
export async function pauseSite(
  ctx: ActorContext & Pick<MemberCtx, 'clock'> & { tenant: { id: string } },
  input: { site: string; paused: boolean },
): Promise<SiteView> {
  return change(ctx, async (ctx) => {
    const site = await findOwnSite(ctx, input.site)
    // a site that is already paused keeps its time
    const { count } = await ctx.prisma.site.updateMany({
      where: { id: site.id, pausedAt: input.paused ? null : { not: null } },
      data: { pausedAt: input.paused ? new Date(ctx.clock.now()) : null },
    })
    if (count > 0) await emitEvent(ctx, site.tenantId, input.paused ? 'site.paused' : 'site.resumed', { site: site.id })
    return {
      out: await viewSite(ctx, site.id),
      change: {
        tenantId: site.tenantId,
        action: input.paused ? 'site.pause' : 'site.resume',
        target: site.id,
        invalidates: true,
      },
    }
  })
}

/** Deletes a site with its keys and hostnames; its decisions are kept. `confirm` is its name, typed by the person. Throws AppError. */
export async function deleteSite(ctx: MemberCtx, input: { site: string; confirm: string }): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    const { id, tenantId, name, sitekey } = await findOwnSite(ctx, input.site)
    if (input.confirm !== name) throw new AppError('confirmation-wrong', { word: name, verb: 'delete' })
    await ctx.prisma.site.delete({ where: { id } })
    await ctx.prisma.deletedSite.create({ data: { id, tenantId, name } })
    return {
      out: { id },
      change: { tenantId, action: 'site.delete', target: id, invalidates: true, before: { name, sitekey } },
    }
  })
}
