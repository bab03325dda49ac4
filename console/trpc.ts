import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '../server/admin/index.ts'
import { freshLink } from './frame/freshLink.ts'
import { toastFailure } from './ui/overlay/toast.ts'
import { codeOf } from './ui/page/failure.ts'

/** The service answers everything within 4.5 s; what takes longer will not come. */
const TIMEOUT_MS = 5000

declare module '@tanstack/react-query' {
  interface Register {
    /** `inline`: the form shows its own failure, so no toast does. */
    mutationMeta: { inline?: true }
  }
}

export const queryClient = new QueryClient({
  // The service may well be on this machine: being offline says nothing about reaching it.
  defaultOptions: {
    queries: {
      networkMode: 'always',
      // What was refused on purpose is refused again.
      retry: (failures, error) => failures < 2 && (codeOf(error) === null || codeOf(error) === 'SERVICE_UNAVAILABLE'),
    },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      leaveWhenSignedOut(error)
      if (!mutation.meta?.inline) toastFailure(error)
    },
  }),
})

/** For calls that are none of a page's queries and mutations. */
export const trpcClient = createTRPCClient<AppRouter>({
  links: [
    freshLink,
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

/** A session that was ended elsewhere ends here: the page is loaded anew, and whoever guards it asks to sign in. */
function leaveWhenSignedOut(error: unknown): void {
  if (codeOf(error) === 'UNAUTHORIZED') location.reload()
}
