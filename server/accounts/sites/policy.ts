import type { SitePolicy } from '../../contract/sitePolicy.ts'
import type { Db } from '../../kit/transact.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { findOwnSite, noSite } from './find.ts'

/** A site's difficulty and limits. Throws AppError. */
export async function viewPolicy(ctx: Db & Pick<MemberCtx, 'tenant'>, site: string): Promise<SitePolicy> {
  const row = await ctx.prisma.site.findFirst({
    where: { id: site, tenantId: ctx.tenant.id },
    select: {
      baseWork: true,
      workMode: true,
      challengeKind: true,
      refuseAutomation: true,
      grantsEnabled: true,
      grantMaxTtl: true,
      grantMaxUses: true,
      grantRenewal: true,
      ratePerSecond: true,
      rateBurst: true,
      subjectLimit: true,
      networkLimit: true,
    },
  })
  if (!row) throw noSite()
  return row
}

/** Sets a site's policy: immediately on this node, on all nodes within 10 s. Throws AppError. */
export async function setPolicy(ctx: MemberCtx, input: { site: string; policy: SitePolicy }): Promise<SitePolicy> {
  return change(ctx, async (ctx) => {
    const { id, tenantId } = await findOwnSite(ctx, input.site)
    const before = await viewPolicy(ctx, id)
    await ctx.prisma.site.update({ where: { id }, data: input.policy })
    const after = await viewPolicy(ctx, id)
    return { out: after, change: { tenantId, action: 'site.set_policy', target: id, invalidates: true, before, after } }
  })
}
