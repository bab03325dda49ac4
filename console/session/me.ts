import { useSuspenseQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc } from '../trpc.ts'

export type Me = NonNullable<inferOutput<typeof trpc.session.me>>

/** Who is signed in, where they may go. Asked anew every minute, so that a role or a tenant taken away shows. */
const options = () => trpc.session.me.queryOptions(undefined, { staleTime: 60_000, refetchInterval: 60_000 })

/** For the routes, before a page is shown; null for nobody. */
export const fetchMe = (): Promise<Me | null> => queryClient.ensureQueryData(options())

/** The person signed in. Only below routes that let in nobody else. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(options())
  if (!data) throw new Error('nobody is signed in')
  return data
}

/** Asks who is signed in anew, after signing in or out, or after what changes it. */
export const refreshMe = (): Promise<Me | null> => queryClient.fetchQuery({ ...options(), staleTime: 0 })

/** Knows the tenant under another slug as well until asked anew, so that nobody is shut out on the way from one to the other. */
export const showAlsoAt = (slug: string, next: string): void =>
  void queryClient.setQueryData(
    options().queryKey,
    (me) =>
      me && {
        ...me,
        tenants: me.tenants.flatMap((tenant) =>
          tenant.slug === slug ? [tenant, { ...tenant, slug: next }] : [tenant],
        ),
      },
  )
