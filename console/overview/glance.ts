import { queryClient, trpc } from '../trpc.ts'

const REFRESH_MS = 15_000

/** The tenant's day, and which steps to the first verification are done. */
export const glanceOptions = (tenant: string) =>
  trpc.tenants.glance.queryOptions({ tenant }, { refetchInterval: REFRESH_MS })

/** Asked before the page is shown, so that no checklist pushes it down later. Not knowing is no reason to fail. */
export const knowGlance = (tenant: string): Promise<void> =>
  queryClient.prefetchQuery({ ...glanceOptions(tenant), staleTime: Number.POSITIVE_INFINITY, retry: false })
