import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'

export type MonthUsage = inferOutput<typeof trpc.usage.meter>
export type Month = inferOutput<typeof trpc.usage.months>['rows'][number]
export type BalanceEntry = inferOutput<typeof trpc.usage.entries>['rows'][number]
export type StatementData = inferOutput<typeof trpc.usage.statement>
export type UnitRequest = NonNullable<inferOutput<typeof trpc.usage.request>>

const REFRESH_MS = 60_000
/** In seconds. */
const DAY = 86_400

/** The month by day and site; `month` is its first day, as `2026-11-01`. */
export function useStatement(month: string) {
  const { slug } = useTenant()
  return useQuery(trpc.usage.statement.queryOptions({ tenant: slug, month }, { refetchInterval: REFRESH_MS }))
}

/** The incidents of the month at the tenant's sites, for its chart. */
export function useIncidents(month: string) {
  const { slug } = useTenant()
  const days = daysOfMonth(month)
  const [from, last] = [days[0] ?? 0, days.at(-1) ?? 0]
  return useQuery(
    trpc.usage.series.queryOptions(
      { tenant: slug, from, to: last + DAY },
      { refetchInterval: REFRESH_MS, select: ({ marks }) => marks.incidents },
    ),
  )
}

/** The tenant's latest request for more units; null without one, undefined while loading. */
export function useUnitRequest(): UnitRequest | null | undefined {
  const { slug, may } = useTenant()
  const { data } = useQuery(
    trpc.usage.request.queryOptions({ tenant: slug }, { enabled: may('usage.read'), refetchInterval: REFRESH_MS }),
  )
  return data
}

/** The current month, UTC. */
export const currentMonth = (): string => `${new Date().toISOString().slice(0, 7)}-01`

export type SiteUnits = { site: string; name: string; quota: number; balance: number; units: number }

/** The month's units by site, largest first. */
export function unitsBySite({ lines }: Pick<StatementData, 'lines'>): SiteUnits[] {
  const sites = new Map<string, SiteUnits>()
  for (const { site, name, quota, balance } of lines) {
    const sum = sites.get(site) ?? { site, name: name ?? 'Deleted site', quota: 0, balance: 0, units: 0 }
    sites.set(site, {
      ...sum,
      quota: sum.quota + quota,
      balance: sum.balance + balance,
      units: sum.units + quota + balance,
    })
  }
  return [...sites.values()].toSorted((a, b) => b.units - a.units)
}

/** The UTC days of the month as Unix seconds; of the current month only those that have started. */
export function daysOfMonth(month: string): number[] {
  const days: number[] = []
  const date = new Date(month)
  for (let at = date.getTime(); new Date(at).getUTCMonth() === date.getUTCMonth() && at <= Date.now(); at += 86_400_000)
    days.push(at / 1000)
  return days
}

/** The units of each day, by site: the `most` largest, and the others together. */
export function unitsByDay(
  { lines }: Pick<StatementData, 'lines'>,
  days: readonly number[],
  most: number,
): { site: string; name: string; values: number[] }[] {
  const sites = unitsBySite({ lines })
  const groups = sites.slice(0, most).map(({ site, name }) => ({ site, name, of: new Set([site]) }))
  const others = new Set(sites.slice(most).map(({ site }) => site))
  if (others.size > 0) groups.push({ site: 'others', name: 'Other sites', of: others })
  return groups.map(({ site, name, of }) => ({
    site,
    name,
    values: days.map((at) => {
      const day = new Date(at * 1000).toISOString().slice(0, 10)
      return lines.reduce(
        (sum, line) => (line.day === day && of.has(line.site) ? sum + line.quota + line.balance : sum),
        0,
      )
    }),
  }))
}
