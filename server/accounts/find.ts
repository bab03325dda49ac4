import { isUuid } from '../contract/ids.ts'
import type { Db } from '../kit/db/transact.ts'
import { AppError } from '../kit/error.ts'

/** Finds a tenant by id or slug. Throws AppError. */
export async function findTenant(ctx: Db, idOrSlug: string) {
  const tenant = await ctx.prisma.tenant.findUnique({
    where: isUuid(idOrSlug) ? { id: idOrSlug.toLowerCase() } : { slug: idOrSlug },
  })
  if (!tenant || tenant.deletedAt) throw new AppError('tenant-not-found', { tenant: idOrSlug })
  return tenant
}

/** Finds a site by id or site key. Throws AppError. */
export async function findSiteRow(ctx: Db, idOrSitekey: string) {
  const site = await ctx.prisma.site.findUnique({
    where: isUuid(idOrSitekey) ? { id: idOrSitekey.toLowerCase() } : { sitekey: idOrSitekey },
  })
  if (!site) throw new AppError('site-not-found', { site: idOrSitekey })
  return site
}
