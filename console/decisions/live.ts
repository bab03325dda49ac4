import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { useEffect, useRef, useState } from 'react'
import type { AppRouter } from '../../server/admin/index.ts'
import { codeOf } from '../ui/page/failure.ts'
import type { DecisionRow } from './list.ts'
import type { Filters } from './search.ts'

// separate from the console's other client, so that it is loaded only when needed
const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: '/trpc' })] })

/** How long to wait before reconnecting when the browser has stopped trying. */
const RETRY_MS = 3000

export type LiveState = 'connecting' | 'live' | { failed: unknown }

/**
 * Follows the tenant's decisions while `on`. `onRows` gets what came to light; some of it may have been told before a
 * connection broke. `onStart` is called once all that comes from now on will be told.
 */
export function useLive(
  { tenant, filters, on }: { tenant: string; filters: Filters; on: boolean },
  { onStart, onRows }: { onStart: () => void; onRows: (rows: DecisionRow[]) => void },
): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  const handlers = useRef({ onStart, onRows })
  useEffect(() => {
    handlers.current = { onStart, onRows }
  })
  const asked = JSON.stringify({ tenant, ...filters })

  useEffect(() => {
    if (!on) return undefined
    let lastEventId: string | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let subscription: { unsubscribe(): void } | undefined
    const input = JSON.parse(asked) as { tenant: string } & Filters

    const subscribe = () => {
      setState('connecting')
      subscription = client.decisions.tail.subscribe(
        { ...input, ...(lastEventId !== undefined && { lastEventId }) },
        {
          onData({ id, data: { rows } }) {
            if (lastEventId === undefined) handlers.current.onStart()
            lastEventId = id
            setState('live')
            if (rows.length > 0) handlers.current.onRows(rows)
          },
          onConnectionStateChange: ({ state }) => state === 'connecting' && setState('connecting'),
          onComplete: again,
          onError(error) {
            const code = codeOf(error)
            // reloading leads to the sign-in page
            if (code === 'UNAUTHORIZED') location.reload()
            else if (code === null || code === 'SERVICE_UNAVAILABLE' || code === 'INTERNAL_SERVER_ERROR') again()
            else setState({ failed: error })
          },
        },
      )
    }
    const again = () => {
      setState('connecting')
      retry = setTimeout(subscribe, RETRY_MS)
    }
    subscribe()
    return () => {
      clearTimeout(retry)
      subscription?.unsubscribe()
    }
  }, [asked, on])
  return state
}
