import { queryClient, trpc } from '../trpc.ts'

const REFRESH_MS = 15_000

/** Which steps to the first verification are done. */
export const summaryOptions = (tenant: string) =>
  trpc.tenants.summary.queryOptions({ tenant }, { refetchInterval: REFRESH_MS })

/** Loaded before the page is shown, so that the checklist does not move the page later. A failure is ignored. */
export const prefetchSummary = (tenant: string): Promise<void> =>
  queryClient.prefetchQuery({ ...summaryOptions(tenant), staleTime: Number.POSITIVE_INFINITY, retry: false })
