import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { Pause, Play, Radio } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { AppRouter } from '../../server/admin/index.ts'
import type { DecisionFilters } from '../../server/contract/filters.ts'
import { refreshMe } from '../session/me.ts'
import { Button } from '../ui/form/Button.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { codeOf, describeError } from '../ui/page/errorMessage.ts'
import { Pill } from '../ui/text/Pill.tsx'
import type { DecisionRow } from './api.ts'

// apart from the console's other client, so that subscriptions are loaded only by this page
const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: '/trpc' })] })

/** How long to wait before reconnecting when the browser has stopped trying. */
const RETRY_MS = 3000

type LiveState = 'connecting' | 'live' | { failed: unknown }

/**
 * Subscribes to the tenant's new decisions while `on`. `onRows` receives them; after a reconnect some may come again.
 * `onStart` is called when the subscription has started: from then on no decision is missed.
 */
export function useLive(
  { tenant, filters, on }: { tenant: string; filters: DecisionFilters; on: boolean },
  { onStart, onRows }: { onStart: () => void; onRows: (rows: DecisionRow[]) => void },
): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  const handlers = useRef({ onStart, onRows })
  useEffect(() => {
    handlers.current = { onStart, onRows }
  })
  const inputJson = JSON.stringify({ tenant, ...filters })

  useEffect(() => {
    if (!on) return undefined
    let lastEventId: string | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let subscription: { unsubscribe(): void } | undefined
    const input = JSON.parse(inputJson) as { tenant: string } & DecisionFilters

    const signInAgain = async () => {
      await refreshMe()
      reconnect()
    }
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
          onComplete: reconnect,
          onError(error) {
            const code = codeOf(error)
            if (code === 'UNAUTHORIZED') void signInAgain()
            else if (code === null || code === 'SERVICE_UNAVAILABLE' || code === 'INTERNAL_SERVER_ERROR') reconnect()
            else setState({ failed: error })
          },
        },
      )
    }
    const reconnect = () => {
      setState('connecting')
      retry = setTimeout(subscribe, RETRY_MS)
    }
    subscribe()
    return () => {
      clearTimeout(retry)
      subscription?.unsubscribe()
    }
  }, [inputJson, on])
  return state
}

/** Turns live updates on and off, and pauses them. */
export function LiveBar({
  on,
  state,
  paused,
  reason,
  onToggle,
  onPause,
}: {
  on: boolean
  state: LiveState
  paused: boolean
  reason: string | undefined
  onToggle: (on: boolean) => void
  onPause: (paused: boolean) => void
}) {
  return (
    <>
      <Button aria-pressed={on} reason={reason} onClick={() => onToggle(!on)}>
        <Radio size={14} aria-hidden className={on ? 'text-pass' : ''} />
        Live
      </Button>
      {on && (
        <IconButton
          framed
          icon={paused ? Play : Pause}
          label={paused ? 'Resume' : 'Pause'}
          onClick={() => onPause(!paused)}
        />
      )}
      <output className="min-w-0">{on && <State state={state} paused={paused} />}</output>
    </>
  )
}

function State({ state, paused }: { state: LiveState; paused: boolean }) {
  if (typeof state === 'object') return <span className="text-12 text-block">{describeError(state.failed).title}</span>
  if (state === 'connecting') return <Pill tone="challenge">Connecting</Pill>
  if (paused) return <Pill tone="neutral">Paused</Pill>
  // seen at the button, which is pressed
  return <span className="sr-only">Updates are live.</span>
}
