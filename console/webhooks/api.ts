import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useState } from 'react'
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

/** The mutation that creates a secret's text, and the text: in component state only, because the response is not cached. */
export function useCreate(onCreated: () => void) {
  const [secret, setSecret] = useState<string | null>(null)
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      meta: { inline: true },
      gcTime: 0,
      onSuccess: ({ secret }) => {
        setSecret(secret)
        create.reset()
        onCreated()
      },
    }),
  )
  return { create, secret, onDone: () => setSecret(null) }
}
