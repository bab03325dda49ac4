import { useInfiniteQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { PAGED, trpc } from '../trpc.ts'

export type Webhook = inferOutput<typeof trpc.webhooks.get>
export type Delivery = inferOutput<typeof trpc.webhooks.deliveries>['rows'][number]

/** Often enough to see the reply to a test. */
const REFRESH_MS = 2000

/** The deliveries, loaded again while one waits for its first attempt. */
export function useDeliveries(id: string) {
  const { slug } = useTenant()
  return useInfiniteQuery(
    trpc.webhooks.deliveries.infiniteQueryOptions(
      { tenant: slug, id },
      {
        ...PAGED,
        refetchInterval: ({ state: { data } }) =>
          data?.pages[0]?.rows.some(({ state }) => state === 'waiting') ? REFRESH_MS : false,
      },
    ),
  )
}
