import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc } from '../trpc.ts'
import { lazyPart } from '../ui/overlay/lazyPart.ts'

type Summary = inferOutput<typeof trpc.tenants.summary>
export type FinishedSteps = Summary['done']
export type SiteTraffic = inferOutput<typeof trpc.usage.bySite>['sites'][number]

const REFRESH_MS = 15_000

/** Which steps to the first verification are done. */
export const summaryOptions = (tenant: string) =>
  trpc.tenants.summary.queryOptions({ tenant }, { refetchInterval: REFRESH_MS })

const ATTENTION_REFRESH_MS = 60_000

/** What needs attention at the tenant's sites. */
export const attentionOptions = (tenant: string) =>
  trpc.sites.attention.queryOptions({ tenant }, { refetchInterval: ATTENTION_REFRESH_MS, staleTime: 15_000 })

export type SiteAttention = inferOutput<typeof trpc.sites.attention>[number]

const loadAttention = async () => (await import('./Attention.tsx')).Attention
export const Attention = lazyPart(loadAttention)

/** The notices about what is going on, which most tenants never need. */
const loadNotices = async () => (await import('../incidents/Ongoing.tsx')).OngoingNotices
export const OngoingNotices = lazyPart(loadNotices)

export const isOngoing = ({ ongoing }: Pick<Summary, 'ongoing'>): boolean =>
  ongoing.incidents.length > 0 || ongoing.attacks.length > 0

const EARLY = { staleTime: Number.POSITIVE_INFINITY, retry: false, meta: { early: true } } as const

/**
 * Loads the summary and what needs attention, and the notices if there are any, before the page is shown, so that they do not move
 * the page later. Ignores errors.
 */
export async function prefetchSummary(tenant: string): Promise<void> {
  const [options, attention] = [summaryOptions(tenant), attentionOptions(tenant)]
  await Promise.all([
    queryClient.prefetchQuery({ ...options, ...EARLY }),
    queryClient.prefetchQuery({ ...attention, ...EARLY }),
  ])
  const summary = queryClient.getQueryData(options.queryKey)
  const loads = [
    ...(summary && isOngoing(summary) ? [loadNotices()] : []),
    ...(queryClient.getQueryData(attention.queryKey)?.length ? [loadAttention()] : []),
  ]
  await Promise.allSettled(loads)
}
