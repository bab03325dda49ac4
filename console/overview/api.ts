import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc } from '../trpc.ts'

export type FinishedSteps = inferOutput<typeof trpc.tenants.summary>['done']
export type SiteTraffic = inferOutput<typeof trpc.usage.bySite>['sites'][number]

const REFRESH_MS = 15_000

/** Which steps to the first verification are done. */
export const summaryOptions = (tenant: string) =>
  trpc.tenants.summary.queryOptions({ tenant }, { refetchInterval: REFRESH_MS })

/** Loads the summary before the page is shown, so that the checklist does not move the page later. Ignores errors. */
export const prefetchSummary = (tenant: string): Promise<void> =>
  queryClient.prefetchQuery({
    ...summaryOptions(tenant),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { early: true },
  })
