import { isUuid } from '../contract/ids.ts'
import type { Db } from '../kit/transact.ts'
import { AccountError } from './error.ts'

/** Finds a tenant by id or slug. Throws AccountError. */
export async function findTenant(ctx: Db, idOrSlug: string) {
  const tenant = await ctx.prisma.tenant.findUnique({
    where: isUuid(idOrSlug) ? { id: idOrSlug.toLowerCase() } : { slug: idOrSlug },
  })
  if (!tenant || tenant.deletedAt) throw new AccountError('not-found', `There is no tenant "${idOrSlug}".`)
  return tenant
}

/** Finds a site by id or site key. Throws AccountError. */
export async function findSiteRow(ctx: Db, idOrSitekey: string) {
  const site = await ctx.prisma.site.findUnique({
    where: isUuid(idOrSitekey) ? { id: idOrSitekey.toLowerCase() } : { sitekey: idOrSitekey },
  })
  if (!site) throw new AccountError('not-found', `There is no site "${idOrSitekey}".`)
  return site
}
