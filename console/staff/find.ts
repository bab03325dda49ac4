import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc, trpcClient } from '../trpc.ts'

export type Found = inferOutput<typeof trpc.staff.search>
export type Hit = Found['hits'][number]

/** Whether the text may be a secret key: such a one is sent once, and kept neither in the URL nor in a cache. */
export const mayBeSecret = (text: string): boolean => text.includes('tg_secret_')

/** What is found under a text that may be kept. Sent in a body, like a mutation: addresses stand in logs. */
export const foundOptions = (text: string) => ({
  queryKey: [...trpc.staff.search.mutationKey(), text],
  queryFn: () => trpcClient.staff.search.mutate({ text }),
  staleTime: 10_000,
})

export const find = (text: string): Promise<Found> =>
  mayBeSecret(text) ? trpcClient.staff.search.mutate({ text }) : queryClient.fetchQuery(foundOptions(text))

/** Where a hit leads. */
export function linkTo({ kind, id, tenant }: Hit) {
  if (kind === 'decision' || kind === 'intent' || kind === 'grant' || kind === 'feedback' || kind === 'refusal')
    return { to: '/staff/trace/$id', params: { id } } as const
  return tenant && ({ to: '/staff/tenants/$tenant', params: { tenant: tenant.id } } as const)
}
