import { useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useEffect, useRef, useState } from 'react'
import { useTheme } from '../frame/theme.ts'
import { type trpc, trpcClient } from '../trpc.ts'

/** A member's site; null for the site of the page /try. */
export type TrialSite = { tenant: string; site: string } | null

/** A call as it happened. Those of the component come from the frame. */
export type Call = Omit<inferOutput<typeof trpc.sites.tryOpen>, 'endpoint' | 'request'> & {
  endpoint: string
  request: Record<string, unknown> | null
}

export type Fault = 'none' | 'wrong-host' | 'reused-token' | 'expired' | 'no-quota'

/** What the frame (public/playground.js) sends. */
type FromFrame =
  | { type: 'ready' }
  | ({ type: 'call' } & Call)
  | { type: 'solved'; response: string }
  | { type: 'error'; code: string }
  | { type: 'expired' }

/**
 * Where the trial is. `passed`: the seconds from the first call to the last answer; `held`: those of them in which the component
 * waited for the minimum age of a raised challenge.
 */
export type TrialState = 'idle' | 'running' | 'refused' | { passed: number; held: number }

/** Whether the solution came before the minimum age of the challenge. The component sends it again. */
export const isEarly = ({ endpoint, status }: Call): boolean => endpoint === '/solve' && status === 429

type Frame = { number: number; sitekey: string; intent: string; fault: Fault }

/**
 * Verifies this page: the component runs in a frame, and the console makes the calls of the backend. `onPassed` is called when
 * every call was answered as it should be.
 */
export function useTrial(site: TrialSite, onPassed?: () => void) {
  const theme = useTheme()
  const frame = useRef<HTMLIFrameElement>(null)
  const began = useRef(0)
  /** When the component began to wait for the minimum age, and for how long it did, in milliseconds. */
  const held = useRef({ since: 0, total: 0 })
  const [calls, setCalls] = useState<(Call & { number: number })[]>([])
  const [state, setState] = useState<TrialState>('idle')
  /** The seconds until the component showed that it has verified the visitor; null before. */
  const [solved, setSolved] = useState<number | null>(null)
  // a new frame for each trial
  const [shown, setShown] = useState<Frame | null>(null)
  const list = (...more: Call[]) =>
    setCalls((calls) => [...calls, ...more.map((call, i) => ({ ...call, number: calls.length + i }))])
  const faultOf = (fault: Fault) => (fault === 'none' ? {} : { fault })

  const open = useMutation({
    meta: { inline: true },
    mutationKey: ['try', 'open'],
    mutationFn: (input: { fault?: Exclude<Fault, 'none'> }) =>
      site ? trpcClient.sites.tryOpen.mutate({ ...site, ...input }) : trpcClient.system.tryOpen.mutate(input),
  })
  const redeem = useMutation({
    meta: { inline: true },
    mutationKey: ['try', 'redeem'],
    mutationFn: (input: { fault?: Exclude<Fault, 'none'>; intentId: string; response: string }) =>
      site ? trpcClient.sites.tryRedeem.mutate({ ...site, ...input }) : trpcClient.system.tryRedeem.mutate(input),
  })

  const start = async (fault: Fault = 'none') => {
    setCalls([])
    setState('running')
    setSolved(null)
    began.current = performance.now()
    held.current = { since: 0, total: 0 }
    try {
      const exchange = await open.mutateAsync(faultOf(fault))
      list(exchange)
      const { intent_id: intent, sitekey } = exchange.reply
      if (exchange.status !== 200 || typeof intent !== 'string' || typeof sitekey !== 'string')
        return setState('refused')
      setShown((former) => ({ number: (former?.number ?? 0) + 1, sitekey, intent, fault }))
    } catch {
      setState('idle')
    }
  }
  const finish = async ({ intent, fault }: Frame, response: string) => {
    setSolved((performance.now() - began.current) / 1000)
    try {
      const exchanges = await redeem.mutateAsync({ ...faultOf(fault), intentId: intent, response })
      list(...exchanges)
      if (exchanges.some(({ status }) => status !== 200)) return setState('refused')
      setState({ passed: (performance.now() - began.current) / 1000, held: held.current.total / 1000 })
      onPassed?.()
    } catch {
      setState('refused')
    }
  }
  const receive = useRef<(message: FromFrame) => void>(() => undefined)
  useEffect(() => {
    receive.current = (message) => {
      if (message.type === 'ready' && shown)
        frame.current?.contentWindow?.postMessage(
          { type: 'render', theme, sitekey: shown.sitekey, intent: shown.intent },
          location.origin,
        )
      else if (message.type === 'call') {
        if (isEarly(message)) held.current.since ||= performance.now()
        else if (held.current.since > 0) held.current = { since: 0, total: performance.now() - held.current.since }
        list(message)
      } else if (message.type === 'solved' && shown) void finish(shown, message.response)
      else if (message.type === 'error' || message.type === 'expired') setState('refused')
    }
  })
  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent<FromFrame>) => {
      if (origin === location.origin && source !== null && source === frame.current?.contentWindow)
        receive.current(data)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])

  return {
    calls,
    state,
    solved,
    start,
    busy: open.isPending,
    error: open.error ?? redeem.error,
    /** The component; null before the first trial. */
    component: shown && state !== 'idle' && (
      // its own page, which needs its origin to be allowed
      // oxlint-disable-next-line react/iframe-missing-sandbox
      <iframe key={shown.number} ref={frame} src="/playground" title="The component" className="size-full border-0" />
    ),
  }
}
