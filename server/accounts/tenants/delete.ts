import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { holdSlug } from './slugs.ts'

/**
 * Deletes the tenant's sites, keys, members, invitations and webhooks, and frees its slug in 90 days; decisions and bills are kept under
 * its id. `confirm` is the slug, typed by the person. Cannot be undone. Throws AppError.
 */
export async function deleteTenant(ctx: MemberCtx, input: { confirm: string }): Promise<{ id: string }> {
  const { id, slug, name } = ctx.tenant
  if (input.confirm !== slug) throw new AppError('confirmation-wrong', { word: slug, verb: 'delete' })
  return change(ctx, async (ctx) => {
    const { count } = await ctx.prisma.tenant.updateMany({
      where: { id, deletedAt: null },
      data: { deletedAt: new Date(ctx.clock.now()), slug: `deleted-${id}` },
    })
    if (count === 0) throw new AppError('tenant-not-found', { tenant: slug })
    await holdSlug(ctx, slug, id)
    await ctx.prisma.$executeRaw`
      insert into deleted_site (id, tenant_id, name) select id, tenant_id, name from site where tenant_id = ${id}::uuid`
    const { count: sites } = await ctx.prisma.site.deleteMany({ where: { tenantId: id } })
    const { count: members } = await ctx.prisma.member.deleteMany({ where: { tenantId: id } })
    await ctx.prisma.invitation.deleteMany({ where: { tenantId: id } })
    await ctx.prisma.webhookEndpoint.deleteMany({ where: { tenantId: id } })
    await ctx.prisma.webhookEvent.deleteMany({ where: { tenantId: id } })
    return {
      out: { id },
      change: {
        tenantId: id,
        action: 'tenant.delete',
        target: id,
        invalidates: true,
        before: { slug, name, sites, members },
      },
    }
  })
}
