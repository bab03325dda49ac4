import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc } from '../trpc.ts'
import { lazyPart } from '../ui/overlay/lazyPart.ts'

type Summary = inferOutput<typeof trpc.tenants.summary>
export type FinishedSteps = Summary['done']
export type SitesTraffic = inferOutput<typeof trpc.usage.bySite>
export type SiteTraffic = SitesTraffic['sites'][number]

const REFRESH_MS = 15_000

/** Which steps to the first verification are done. */
export const summaryOptions = (tenant: string) =>
  trpc.tenants.summary.queryOptions({ tenant }, { refetchInterval: REFRESH_MS })

const ATTENTION_REFRESH_MS = 60_000

/** What needs attention at the tenant's sites. */
export const attentionOptions = (tenant: string) =>
  trpc.sites.attention.queryOptions({ tenant }, { refetchInterval: ATTENTION_REFRESH_MS, staleTime: 15_000 })

export type SiteAttention = inferOutput<typeof trpc.sites.attention>[number]

/** The notices about what is going on, which most tenants never need. */
export const OngoingNotices = lazyPart(async () => (await import('../incidents/Ongoing.tsx')).OngoingNotices)

export const isOngoing = ({ ongoing }: Pick<Summary, 'ongoing'>): boolean =>
  ongoing.incidents.length > 0 || ongoing.attacks.length > 0

const EARLY = { staleTime: Number.POSITIVE_INFINITY, retry: false, meta: { early: true } } as const

/** Loads what the overview shows first, in one request with the session. Ignores errors. */
export function prefetchSummary(tenant: string): void {
  void queryClient.prefetchQuery({ ...summaryOptions(tenant), ...EARLY })
  void queryClient.prefetchQuery({ ...attentionOptions(tenant), ...EARLY })
  void queryClient.prefetchQuery({ ...trpc.usage.meter.queryOptions({ tenant }), ...EARLY })
}
