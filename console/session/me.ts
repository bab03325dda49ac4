import { useSuspenseQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc, trpcClient } from '../trpc.ts'
import { toastError } from '../ui/overlay/toast.ts'
import { WITHOUT_DIALOG } from './reauthenticate.ts'

export type Me = NonNullable<inferOutput<typeof trpc.session.me>>

/** The signed-in person and their tenants. Refreshed every minute, so that a revoked role or tenant shows. */
const options = () => trpc.session.me.queryOptions(undefined, { staleTime: 60_000, refetchInterval: 60_000 })

/** For the routes, before a page is shown; null if not signed in. */
export const fetchMe = (): Promise<Me | null> => queryClient.ensureQueryData(options())

/** The signed-in person. Only below routes that require a session. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(options())
  if (!data) throw new Error('not signed in')
  return data
}

/** The signed-in person, null if there is none. For pages that both see. */
export const useMaybeMe = (): Me | null => useSuspenseQuery(options()).data

/** Reloads who is signed in, after signing in or out and after changes. */
export const refreshMe = (): Promise<Me | null> => queryClient.fetchQuery({ ...options(), staleTime: 0 })

/** Reloads who is signed in for the re-authentication dialog, while other calls wait for it. */
export async function refreshMeInDialog(): Promise<Me | null> {
  const me = await trpcClient.session.me.query(undefined, { context: WITHOUT_DIALOG })
  // another person's pages are loaded anew: those that are shown are not theirs
  queryClient.setQueryData(options().queryKey, (shown) => (me && me.user.id === shown?.user.id ? me : shown))
  return me
}

/** Lists the tenant under its new slug as well until the next refresh, so that the navigation to it is allowed. */
export const addTenantSlug = (slug: string, next: string): void =>
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

/** Ends the session and reloads, so that nothing from it stays in memory. `next`: where to go after signing in again. */
export async function signOut(next?: string): Promise<void> {
  const { auth } = await import('./auth.ts')
  const { error } = await auth.signOut()
  if (error) toastError(error)
  else location.assign(next === undefined ? '/sign-in' : `/sign-in?${new URLSearchParams({ next }).toString()}`)
}
