import { useQuery } from '@tanstack/react-query'
import { queryClient, trpc } from '../trpc.ts'

/** Mode and version do not change while a page is open. */
const options = () => trpc.system.overview.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY })

/** Loaded before a page with banners is shown, so that none moves the page later. A failure is ignored. */
export async function knowOverview(): Promise<void> {
  await queryClient.prefetchQuery(options())
}

/** Whether this is an evaluation; false while unknown. */
export const useIsEvaluation = (): boolean => useQuery(options()).data?.mode === 'evaluation'
