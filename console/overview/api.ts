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

/** The notices about what is going on, which most tenants never need. */
const loadNotices = async () => (await import('../incidents/Ongoing.tsx')).OngoingNotices
export const OngoingNotices = lazyPart(loadNotices)

export const isOngoing = ({ ongoing }: Pick<Summary, 'ongoing'>): boolean =>
  ongoing.incidents.length > 0 || ongoing.attacks.length > 0

/**
 * Loads the summary, and the notices if it needs them, before the page is shown, so that they do not move the page later.
 * Ignores errors.
 */
export async function prefetchSummary(tenant: string): Promise<void> {
  const options = summaryOptions(tenant)
  await queryClient.prefetchQuery({
    ...options,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { early: true },
  })
  const summary = queryClient.getQueryData(options.queryKey)
  if (summary && isOngoing(summary)) await loadNotices().catch(() => undefined)
}
