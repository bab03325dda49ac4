import type { Db } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import type { TenantSites } from '../../ledger/tenantSites.ts'
import type { MemberCtx } from '../access.ts'

export type OwnSite = { id: string; tenantId: string; name: string; sitekey: string }

/** The tenant's site with this id. Another tenant's site gets the same error as a missing one. Throws AppError. */
export async function findOwnSite(ctx: Db & { tenant: Pick<MemberCtx['tenant'], 'id'> }, id: string): Promise<OwnSite> {
  const site = await ctx.prisma.site.findFirst({
    where: { id, tenantId: ctx.tenant.id },
    select: { id: true, tenantId: true, name: true, sitekey: true },
  })
  if (!site) throw noSite()
  return site
}

/** Whose traffic a chart shows: that of one site, or of all that the caller sees. Throws AppError. */
export const ownSites = async (ctx: Db & Pick<MemberCtx, 'tenant'>, id: string | undefined): Promise<TenantSites> =>
  id === undefined ? ctx.tenant : { id: ctx.tenant.id, sites: [(await findOwnSite(ctx, id)).id] }

export const noSite = () => new AppError('site-not-found')
