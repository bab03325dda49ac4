import { useQuery } from '@tanstack/react-query'
import { queryClient, trpc } from '../trpc.ts'

/** What runs here does not change while a page is open. */
const options = () => trpc.system.overview.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY })

/** Asked before a page with banners is shown, so that none pushes it down later. Not knowing is no reason to fail. */
export async function knowOverview(): Promise<void> {
  await queryClient.prefetchQuery(options())
}

/** Whether everything here is an evaluation's test data; false while it is not known. */
export const useIsEvaluation = (): boolean => useQuery(options()).data?.mode === 'evaluation'
