import { isHostname } from '../../../contract/names.ts'
import { seconds } from '../../../kit/clock.ts'
import { type ActorContext, change } from '../../change.ts'
import { AccountError } from '../../error.ts'

/** Limited, because every look-up of the verification path loads a site's complete list. */
const HOSTNAMES_MAX = 200

/** `createdAt`: Unix seconds. */
export type HostnameRow = { hostname: string; createdAt: number }

/** Throws AccountError if the text is not a hostname as the contract defines it. */
export function checkHostname(hostname: string): void {
  if (!isHostname(hostname))
    throw new AccountError(
      'invalid',
      `"${hostname}" is not a valid hostname. Use lower case without scheme, port or wildcard, and Punycode for international names.`,
    )
}

/** Adds a hostname to the site's allow-list; does nothing if it is already listed. Throws AccountError. */
export async function addHostname(
  ctx: ActorContext,
  site: { id: string; tenantId: string },
  hostname: string,
): Promise<HostnameRow> {
  checkHostname(hostname)
  return change(ctx, async (ctx) => {
    await ctx.prisma.$queryRaw`select 1 from site where id = ${site.id}::uuid for no key update`
    if ((await ctx.prisma.hostname.count({ where: { siteId: site.id } })) >= HOSTNAMES_MAX)
      throw new AccountError('conflict', `A site can have at most ${HOSTNAMES_MAX} hostnames.`)
    const { createdAt } = await ctx.prisma.hostname.upsert({
      where: { siteId_hostname: { siteId: site.id, hostname } },
      create: { siteId: site.id, tenantId: site.tenantId, hostname },
      update: {},
    })
    return {
      out: { hostname, createdAt: seconds(createdAt.getTime()) },
      change: {
        tenantId: site.tenantId,
        action: 'hostname.add',
        target: site.id,
        invalidates: true,
        after: { hostname },
      },
    }
  })
}
