import { useInfiniteQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'

export type SiteRow = inferOutput<typeof trpc.sites.list>['rows'][number]

/** The sites of the page's tenant, in the order in which they were made. */
export function useSites() {
  const { slug } = useTenant()
  return useInfiniteQuery(
    trpc.sites.list.infiniteQueryOptions({ tenant: slug }, { getNextPageParam: ({ nextCursor }) => nextCursor }),
  )
}
