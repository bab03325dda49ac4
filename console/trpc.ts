import { QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '../server/admin/index.ts'

/** The service answers everything within 4.5 s; what takes longer will not come. */
const TIMEOUT_MS = 5000

export const queryClient = new QueryClient({
  // The service may well be on this machine: being offline says nothing about reaching it.
  defaultOptions: { queries: { networkMode: 'always' }, mutations: { networkMode: 'always' } },
})

const client = createTRPCClient<AppRouter>({
  links: [
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
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient })
