import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '../server/admin/index.ts'
import { reauthenticateLink } from './session/reauthenticate.ts'
import { toastError } from './ui/overlay/toast.ts'
import { codeOf, isBusy } from './ui/page/errorMessage.ts'

/** The service responds within 4.5 s or not at all. */
const TIMEOUT_MS = 5000
/** How long to wait before a page asks a busy service again by itself. */
const BUSY_RETRY_MS = 5000

declare module '@tanstack/react-query' {
  interface Register {
    /** `inline`: the form shows its own failure, so no toast does. */
    mutationMeta: { inline?: true }
    /** `early`: sent before it is known whether someone is signed in. */
    queryMeta: { early?: true }
  }
}

// before the next event, so that the second of two clicks finds the button busy; the default waits for a timer
notifyManager.setScheduler(queueMicrotask)

export const queryClient = new QueryClient({
  // the service may be on this machine, so it can be reachable while the browser is offline
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchInterval: ({ state }) => isBusy(state.error) && BUSY_RETRY_MS,
      // a refused request would be refused again
      retry: (failures, error) => failures < 2 && (codeOf(error) === null || codeOf(error) === 'SERVICE_UNAVAILABLE'),
    },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: (error, { meta }) => !meta?.early && leaveWhenSignedOut(error) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      leaveWhenSignedOut(error)
      if (!mutation.meta?.inline) toastError(error)
    },
    // What is shown may have changed, also when it was refused. The mutation is pending until it is loaded again. Sign-ins are
    // not calls of tRPC.
    onSettled: (_data, _error, _variables, _result, { options }) =>
      options.mutationKey && queryClient.invalidateQueries(),
  }),
})

/** For calls outside of queries and mutations. */
export const trpcClient = createTRPCClient<AppRouter>({
  links: [
    reauthenticateLink,
    httpBatchLink({
      url: '/trpc',
      maxItems: 10,
      fetch: (url, { signal, ...init } = {}) => {
        const timeout = AbortSignal.timeout(TIMEOUT_MS)
        return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
      },
    }),
  ],
})

/** Query and mutation options of every procedure, for `useQuery` and `useMutation`. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client: trpcClient, queryClient })

/** For `infiniteQueryOptions` of a list `{ rows, nextCursor }`. */
export const PAGED = { getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor }

/** If the session has ended, reloads the page, whose route then redirects to the sign-in page. */
function leaveWhenSignedOut(error: unknown): void {
  if (codeOf(error) === 'UNAUTHORIZED') location.reload()
}
