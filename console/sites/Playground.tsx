import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTheme } from '../frame/theme.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Section } from '../ui/page/Page.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code } from '../ui/text/Snippet.tsx'

/** A call as it happened. Those of the component come from the frame. */
type Call = Omit<inferOutput<typeof trpc.sites.tryOpen>, 'endpoint' | 'request'> & {
  endpoint: string
  request: Record<string, unknown> | null
}

const FAULTS = {
  none: { label: 'Nothing', hint: 'A real verification. It costs one unit and appears in Decisions.' },
  'wrong-host': { label: 'Wrong host', hint: 'The intent is for another host than that of the page.' },
  'reused-token': { label: 'Reused token', hint: 'The form is submitted twice. The first time costs one unit.' },
  expired: { label: 'Expired', hint: 'The page was open, or in a cache, for more than five minutes.' },
  'no-quota': { label: 'No units left', hint: 'The units of the month and the balance are used up.' },
} as const
type Fault = keyof typeof FAULTS

/** What the frame (public/playground.js) sends. */
type FromFrame =
  | { type: 'ready' }
  | ({ type: 'call' } & Call)
  | { type: 'solved'; response: string }
  | { type: 'error'; code: string }
  | { type: 'expired' }

/** Where the trial is: what the page says about it. */
type State = 'idle' | 'running' | 'passed' | 'refused'

const STATE_PILLS = {
  idle: <Pill tone="neutral">Not started</Pill>,
  running: <Pill tone="info">Running</Pill>,
  passed: <Pill tone="pass">Completed</Pill>,
  refused: <Pill tone="block">Refused</Pill>,
} satisfies Record<State, unknown>

/**
 * Shows the component with the site's key, makes the calls of the backend, and lists every call as it happens. `reason`: why
 * the person may not; undefined if they may.
 */
export function Playground({ input, reason }: { input: { tenant: string; site: string }; reason: string | undefined }) {
  const theme = useTheme()
  const frame = useRef<HTMLIFrameElement>(null)
  const [fault, setFault] = useState<Fault>('none')
  const [calls, setCalls] = useState<(Call & { number: number })[]>([])
  const [state, setState] = useState<State>('idle')
  // a new frame for each trial
  const [trial, setTrial] = useState<{ number: number; sitekey: string; intent: string; fault: Fault } | null>(null)
  const list = (...more: Call[]) =>
    setCalls((calls) => [...calls, ...more.map((call, i) => ({ ...call, number: calls.length + i }))])
  const faultOf = (fault: Fault) => (fault === 'none' ? {} : { fault })

  const open = useMutation(trpc.sites.tryOpen.mutationOptions({ meta: { inline: true } }))
  const redeem = useMutation(trpc.sites.tryRedeem.mutationOptions({ meta: { inline: true } }))

  const start = async () => {
    setCalls([])
    setState('running')
    try {
      const exchange = await open.mutateAsync({ ...input, ...faultOf(fault) })
      list(exchange)
      const { intent_id: intent, sitekey } = exchange.reply
      if (exchange.status !== 200 || typeof intent !== 'string' || typeof sitekey !== 'string')
        return setState('refused')
      setTrial((former) => ({ number: (former?.number ?? 0) + 1, sitekey, intent, fault }))
    } catch {
      setState('idle')
    }
  }
  const finish = async (response: string) => {
    if (!trial) return
    try {
      const exchanges = await redeem.mutateAsync({
        ...input,
        ...faultOf(trial.fault),
        intentId: trial.intent,
        response,
      })
      list(...exchanges)
      setState(exchanges.every(({ status }) => status === 200) ? 'passed' : 'refused')
    } catch {
      setState('refused')
    }
  }
  const receive = useRef<(message: FromFrame) => void>(() => undefined)
  useEffect(() => {
    receive.current = (message) => {
      if (message.type === 'ready' && trial)
        frame.current?.contentWindow?.postMessage(
          { type: 'render', theme, sitekey: trial.sitekey, intent: trial.intent },
          location.origin,
        )
      else if (message.type === 'call') list(message)
      else if (message.type === 'solved') void finish(message.response)
      else if (message.type === 'error' || message.type === 'expired') setState('refused')
    }
  })
  useEffect(() => {
    const hear = ({ origin, source, data }: MessageEvent<FromFrame>) => {
      if (origin === location.origin && source !== null && source === frame.current?.contentWindow)
        receive.current(data)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])

  return (
    <Section
      title="Verify it here"
      description="The component with this site’s key, in this page. The console makes the calls of your backend."
      actions={
        <Button look="primary" busy={open.isPending} reason={reason} onClick={() => void start()}>
          <Play size={14} aria-hidden />
          {state === 'idle' ? 'Start' : 'Start again'}
        </Button>
      }
    >
      <div className="grid gap-4 rounded-panel border border-line bg-surface p-4 md:grid-cols-2">
        <div className="grid min-w-0 content-start gap-4">
          <RadioGroup label="Break something" value={fault} onChange={setFault} options={FAULTS} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <div>
            <h3 className="mb-2 flex items-center justify-between gap-2 text-13 font-medium">
              What the visitor sees {STATE_PILLS[state]}
            </h3>
            <div className="h-26 overflow-clip rounded-control border border-line bg-bg p-2">
              {trial && state !== 'idle' ? (
                // its own page, which needs its origin to be allowed
                // oxlint-disable-next-line react/iframe-missing-sandbox
                <iframe
                  key={trial.number}
                  ref={frame}
                  src="/playground"
                  title="The component"
                  className="size-full border-0"
                />
              ) : (
                <p className="text-13 text-ink-2">Start to see the component.</p>
              )}
            </div>
          </div>
          <div>
            <h3 className="mb-2 text-13 font-medium">The calls</h3>
            {calls.length === 0 ? (
              <p className="text-13 text-ink-2">
                <Code>/intents</Code> by your backend, <Code>/challenge</Code> and <Code>/solve</Code> by the browser,{' '}
                <Code>/siteverify</Code> by your backend.
              </p>
            ) : (
              <ol aria-label="Calls" className="grid gap-2">
                {calls.map((call) => (
                  <CallRow key={call.number} call={call} tenant={input.tenant} />
                ))}
              </ol>
            )}
          </div>
        </div>
      </div>
      <ErrorNote error={open.error ?? redeem.error} />
    </Section>
  )
}

const CALLERS: Readonly<Record<string, string>> = {
  '/intents': 'Your backend',
  '/siteverify': 'Your backend',
}

function CallRow({ call, tenant }: { call: Call; tenant: string }) {
  const { endpoint, status, request, reply } = call
  const textIn = (name: string) => (typeof reply[name] === 'string' ? reply[name] : undefined)
  const [decision, error, field] = [textIn('decision_id'), textIn('error'), textIn('field')]
  // the component's calls come without it
  const explained = useQuery(
    trpc.refusals.explain.queryOptions(
      { tenant, error: error ?? '', ...(field !== undefined && { field }) },
      { enabled: error !== undefined && call.why === undefined, staleTime: Number.POSITIVE_INFINITY },
    ),
  )
  const why = call.why ?? explained.data
  return (
    <li className="rounded-control border border-line">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-13">
          <Pill tone={status === 200 ? 'pass' : 'block'}>{String(status)}</Pill>
          <Code>{endpoint}</Code>
          <span className="text-12 text-ink-2">{CALLERS[endpoint] ?? 'The browser'}</span>
          {error !== undefined && <Code>{error}</Code>}
        </summary>
        <pre className="border-t border-line px-3 py-2 font-mono text-12 whitespace-pre-wrap wrap-anywhere">
          {`${JSON.stringify(request, null, 2)}\n\n${JSON.stringify(reply, null, 2)}`}
        </pre>
      </details>
      {(why !== undefined || decision !== undefined) && (
        <p className="px-3 pt-1 pb-2 text-13/6 text-ink-2">
          {why && `${why.cause} ${why.fix}`}
          {decision !== undefined && (
            <Link to="/o/$tenant/decisions/$id" params={{ tenant, id: decision }}>
              Open the decision
            </Link>
          )}
        </p>
      )}
    </li>
  )
}
