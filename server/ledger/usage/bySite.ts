import type { Db } from '../../kit/db/transact.ts'
import type { TenantSites } from '../tenantSites.ts'
import { groupBy } from './groupBy.ts'
import { DAY, inSteps, type Period } from './period.ts'
import { readUsage } from './read.ts'

/** Traffic of a site. `redeemed`: per day of the period, in order. */
export type SiteTraffic = {
  id: string
  name: string
  paused: boolean
  intents: number
  redeemed: number[]
  refused: number
}

/** How many of the busiest sites are listed separately. */
const SITES_MAX = 200

/**
 * The tenant's sites by redemptions, busiest first, per UTC day. `days`: the start of each. The first and
 * the last day count only within the period in steps of its chart, so that the sites add up to the chart's sum.
 */
export async function usageBySite(
  ctx: Db,
  tenant: TenantSites,
  asked: Period,
): Promise<{ days: number[]; sites: SiteTraffic[] }> {
  const period = inSteps(asked)
  const days: number[] = []
  for (let at = Math.floor(period.from / DAY) * DAY; at < period.to; at += DAY) days.push(at)
  const [sites, counted] = await Promise.all([
    ctx.prisma.site.findMany({
      where: { tenantId: tenant.id, ...(tenant.sites && { id: { in: [...tenant.sites] } }) },
      select: { id: true, name: true, pausedAt: true },
    }),
    readUsage(ctx, tenant, period, ['intents', 'redeemed', 'refused'], { at: 'day', site: true }),
  ])
  const bySite = groupBy(counted, ({ site }) => site)
  const traffic = sites.map(({ id, name, pausedAt }) => {
    const rows = bySite.get(id) ?? []
    const sum = (measure: string, at?: number) =>
      rows.reduce((all, row) => (row.measure === measure && (at === undefined || row.at === at) ? all + row.n : all), 0)
    return {
      id,
      name,
      paused: pausedAt !== null,
      intents: sum('intents'),
      redeemed: days.map((at) => sum('redeemed', at)),
      refused: sum('refused'),
    }
  })
  const all = ({ redeemed }: SiteTraffic) => redeemed.reduce((sum, n) => sum + n, 0)
  return { days, sites: traffic.toSorted((a, b) => all(b) - all(a) || b.intents - a.intents).slice(0, SITES_MAX) }
}
