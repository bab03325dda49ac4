import { browserHostname, isHostname } from '../../../contract/names.ts'
import { seconds } from '../../../kit/db/clock.ts'
import { AppError } from '../../../kit/error.ts'
import { type ActorContext, change } from '../../change.ts'

/** Limited, because every look-up of the verification path loads a site's complete list. */
const HOSTNAMES_MAX = 200

/** `createdAt`: Unix seconds. */
export type HostnameRow = { hostname: string; createdAt: number }

/** Throws AppError if the text is not a hostname as the contract defines it, or if no page can be there. */
export function checkHostname(hostname: string): void {
  if (!isHostname(hostname)) throw new AppError('hostname-invalid', { hostname })
  const sent = browserHostname(hostname)
  if (sent !== hostname) throw new AppError('hostname-unusable', { hostname, sent })
}

/** Adds a hostname to the site; changes nothing if it is already listed (`added: false`). Throws AppError. */
export async function addHostname(
  ctx: ActorContext,
  site: { id: string; tenantId: string },
  hostname: string,
): Promise<HostnameRow & { added: boolean }> {
  checkHostname(hostname)
  return change<ActorContext, HostnameRow & { added: boolean }>(ctx, async (ctx) => {
    await ctx.prisma.$queryRaw`select 1 from site where id = ${site.id}::uuid for no key update`
    const where = { siteId_hostname: { siteId: site.id, hostname } }
    const listed = await ctx.prisma.hostname.findUnique({ where })
    if (listed) return { out: { hostname, createdAt: seconds(listed.createdAt.getTime()), added: false }, change: null }
    if ((await ctx.prisma.hostname.count({ where: { siteId: site.id } })) >= HOSTNAMES_MAX)
      throw new AppError('too-many-hostnames', { most: HOSTNAMES_MAX })
    const { createdAt } = await ctx.prisma.hostname.create({
      data: { siteId: site.id, tenantId: site.tenantId, hostname },
    })
    return {
      out: { hostname, createdAt: seconds(createdAt.getTime()), added: true },
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
