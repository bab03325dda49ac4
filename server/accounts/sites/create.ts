import { newId } from '../../kit/ids.ts'
import { type ActorContext, change } from '../change.ts'
import { checkName } from '../name.ts'
import { checkHostname } from './hostnames/add.ts'
import { newSitekey } from './keys.ts'
import { issueSecret } from './secrets/issue.ts'

/** Creates a site with its hostnames and its first secret. The secret's text is returned only here. */
export async function createSite(
  ctx: ActorContext,
  tenant: { id: string },
  input: { name: string; hostnames: string[] },
): Promise<{ id: string; sitekey: string; secret: string; hostnames: string[] }> {
  const name = checkName('site', input.name)
  const hostnames = [...new Set(input.hostnames)]
  for (const hostname of hostnames) checkHostname(hostname)
  return change(ctx, async (ctx) => {
    const site = { id: newId(), tenantId: tenant.id, sitekey: newSitekey(), name }
    await ctx.prisma.site.create({ data: site })
    await ctx.prisma.hostname.createMany({
      data: hostnames.map((hostname) => ({ siteId: site.id, tenantId: tenant.id, hostname })),
    })
    const { secret, last4 } = await issueSecret(ctx, site)
    return {
      out: { id: site.id, sitekey: site.sitekey, secret, hostnames },
      change: {
        tenantId: tenant.id,
        action: 'site.create',
        target: site.id,
        after: { name, sitekey: site.sitekey, hostnames, last4 },
      },
    }
  })
}
