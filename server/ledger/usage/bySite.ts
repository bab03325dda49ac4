import { groupBy } from '../../kit/group.ts'
import type { Writing } from '../../kit/transact.ts'
import { DAY, type Period } from './period.ts'
import { readUsage } from './read.ts'

/** `redeemed`: of each day of the period, the first one first. */
export type SiteTraffic = { site: string; permits: number; redeemed: number[]; refused: number }

/** What happened at each of the tenant's sites, by UTC day; sites without traffic are left out. */
export async function usageBySite(
  ctx: Writing,
  tenant: { id: string },
  { from, to }: Period,
): Promise<{ days: number[]; sites: SiteTraffic[] }> {
  const begin = Math.floor(from / DAY) * DAY
  const days: number[] = []
  for (let at = begin; at < to; at += DAY) days.push(at)
  const period = { from: begin, to: Math.ceil(to / DAY) * DAY, step: DAY }
  const counted = await readUsage(ctx, { tenantId: tenant.id }, period, ['permits', 'redeemed', 'refused'], {
    at: true,
    site: true,
  })
  const sites = [...groupBy(counted, ({ site }) => site)].map(([site, rows]) => {
    const sum = (measure: string, at?: number) =>
      rows.reduce((all, row) => (row.measure === measure && (at === undefined || row.at === at) ? all + row.n : all), 0)
    return {
      site,
      permits: sum('permits'),
      redeemed: days.map((at) => sum('redeemed', at)),
      refused: sum('refused'),
    }
  })
  return { days, sites }
}
