import type { ChallengeKind } from '../../contract/sitePolicy.ts'
import type { Context } from '../../kit/context.ts'
import { newId, randomBase62 } from '../../kit/crypto/ids.ts'
import type { Db } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import { type ActorContext, change } from '../change.ts'
import { checkName } from '../name.ts'
import { planBounds } from '../plans/bounds.ts'
import { checkSlug, slugOf, slugTaken } from '../tenants/create.ts'
import { checkHostname } from './hostnames/add.ts'
import { newSitekey } from './keys.ts'
import { issueSecret } from './secrets/issue.ts'

/**
 * Creates a site with its hostnames and its first secret. The secret's text is returned only here. Without a `slug` it is made of
 * the name, with a short suffix if it is taken.
 */
export async function createSite(
  ctx: ActorContext & Pick<Context, 'config'>,
  tenant: { id: string },
  input: { name: string; slug?: string | undefined; hostnames: string[]; challengeKind?: ChallengeKind },
): Promise<{ id: string; slug: string; sitekey: string; secret: string; hostnames: string[] }> {
  const name = checkName('site', input.name)
  if (input.slug !== undefined) checkSlug(input.slug)
  const hostnames = [...new Set(input.hostnames)]
  for (const hostname of hostnames) checkHostname(hostname)
  return change(ctx, async (ctx) => {
    await assertRoom(ctx, tenant)
    const wanted = input.slug ?? slugOf(name, 'site')
    const taken = (await ctx.prisma.site.count({ where: { tenantId: tenant.id, slug: wanted } })) > 0
    if (taken && input.slug !== undefined) throw slugTaken(wanted)
    const slug = taken ? `${wanted.slice(0, 33)}-${randomBase62(6).toLowerCase()}` : wanted
    const site = { id: newId(), tenantId: tenant.id, sitekey: newSitekey(), name, slug }
    const kind = input.challengeKind && { challengeKind: input.challengeKind }
    await ctx.prisma.site.create({ data: { ...site, ...kind } })
    await ctx.prisma.hostname.createMany({
      data: hostnames.map((hostname) => ({ siteId: site.id, tenantId: tenant.id, hostname })),
    })
    const { secret, last4 } = await issueSecret(ctx, site)
    return {
      out: { id: site.id, slug, sitekey: site.sitekey, secret, hostnames },
      change: {
        tenantId: tenant.id,
        action: 'site.create',
        target: site.id,
        after: { name, slug, sitekey: site.sitekey, hostnames, last4, ...kind },
      },
    }
  })
}

type RoomCtx = Db & Pick<Context, 'config'>

/** Throws AppError if the tenant has as many sites as its quota allows. */
async function assertRoom(ctx: RoomCtx, tenant: { id: string }): Promise<void> {
  // sites of a tenant are created one at a time; the count is a second statement, whose snapshot is newer than the lock
  await ctx.prisma.$queryRaw`select 1 from tenant where id = ${tenant.id}::uuid for no key update`
  const { sites, most } = await countSites(ctx, tenant)
  if (sites >= most) throw new AppError('too-many-sites', { most })
}

/** How many sites the tenant has, and how many its quota allows. Throws AppError. */
export async function countSites(ctx: RoomCtx, { id }: { id: string }): Promise<{ sites: number; most: number }> {
  const row = await ctx.prisma.tenant.findUnique({ where: { id }, select: { monthlyQuota: true } })
  if (!row) throw new AppError('tenant-not-found', { tenant: id })
  const { sites: most } = planBounds(ctx.config, { quota: Number(row.monthlyQuota), balance: 0 })
  return { sites: await ctx.prisma.site.count({ where: { tenantId: id } }), most }
}
