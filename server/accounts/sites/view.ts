import type { Prisma } from '../../../prisma/client/client.ts'
import { seconds } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import { type Page, type PageInput, toPage } from '../../ledger/page.ts'
import type { TenantSites } from '../../ledger/tenantSites.ts'
import { noSite } from './find.ts'

export type SiteView = {
  id: string
  name: string
  /** The site's name in a configuration file. */
  slug: string
  sitekey: string
  paused: boolean
  /** Unix seconds: until then the site is in attack mode. Null: it is not, unless its policy says so. */
  attackUntil: number | null
  hostnames: string[]
  /** Number of active secrets. */
  liveSecrets: number
  /** Unix seconds. */
  createdAt: number
}

const shape = () =>
  ({
    hostnames: { select: { hostname: true }, orderBy: { hostname: 'asc' } },
    _count: {
      select: {
        secrets: { where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] } },
      },
    },
  }) satisfies Prisma.SiteInclude

/** The context of someone in the tenant, or of the operator. */
type TenantCtx = Db & { tenant: TenantSites }

type Row = Prisma.SiteGetPayload<{ include: ReturnType<typeof shape> }>

const toView = ({ id, name, slug, sitekey, pausedAt, attackUntil, createdAt, hostnames, _count }: Row): SiteView => ({
  id,
  name,
  slug,
  sitekey,
  paused: pausedAt !== null,
  attackUntil: attackUntil !== null && attackUntil.getTime() > Date.now() ? seconds(attackUntil.getTime()) : null,
  hostnames: hostnames.map(({ hostname }) => hostname),
  liveSecrets: _count.secrets,
  createdAt: seconds(createdAt.getTime()),
})

/** The tenant's sites, in the order of creation. */
export async function listSites(ctx: TenantCtx, { cursor, limit }: PageInput): Promise<Page<SiteView>> {
  const rows = await ctx.prisma.site.findMany({
    where: {
      tenantId: ctx.tenant.id,
      id: { ...(cursor !== undefined && { gt: cursor }), ...(ctx.tenant.sites && { in: [...ctx.tenant.sites] }) },
    },
    include: shape(),
    orderBy: { id: 'asc' },
    take: limit + 1,
  })
  return toPage(rows.map(toView), limit)
}

/** One site of the tenant. Throws AppError. */
export async function viewSite(ctx: TenantCtx, id: string): Promise<SiteView> {
  const row = await ctx.prisma.site.findFirst({ where: { id, tenantId: ctx.tenant.id }, include: shape() })
  if (!row) throw noSite()
  return toView(row)
}
