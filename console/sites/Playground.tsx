import { useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { counted, short } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code, Sentence } from '../ui/text/Snippet.tsx'
import { type Call, type Fault, isEarly, type TrialSite, type TrialState, useTrial } from './trial.tsx'

const FAULTS = {
  none: { label: 'Valid form', hint: 'Nothing is wrong: a real verification.' },
  'wrong-host': { label: 'Wrong host', hint: 'The intent is for another host than that of the page.' },
  'reused-token': { label: 'Reused token', hint: 'The form is submitted twice, each time with its own key.' },
  expired: { label: 'Expired', hint: 'The page was open, or in a cache, for more than five minutes.' },
  'no-quota': { label: 'No units left', hint: 'The units of the month and the balance are used up.' },
} as const satisfies Record<Fault, object>

function StatePill({ state }: { state: TrialState }) {
  if (state === 'idle') return <Pill tone="neutral">Not started</Pill>
  if (state === 'running') return <Pill tone="info">Running</Pill>
  return state === 'refused' ? <Pill tone="block">Refused</Pill> : <Pill tone="pass">Completed</Pill>
}

/**
 * Shows the component with the site's key, makes the calls of the backend, and lists every call as it happens. `reason`: why
 * the person may not; undefined if they may. `next`: what to do after it worked.
 */
export function Playground({
  site,
  reason,
  next,
  onPassed,
}: {
  site: TrialSite
  reason?: string | undefined
  next?: ReactNode
  onPassed?: () => void
}) {
  const [fault, setFault] = useState<Fault>('none')
  const { calls, state, start, busy, error, component } = useTrial(site, onPassed)
  return (
    <>
      <div className="grid gap-4 rounded-panel border border-line bg-surface p-4 md:grid-cols-2">
        <div className="grid min-w-0 content-start gap-4">
          <RadioGroup label="What to try" value={fault} onChange={setFault} options={FAULTS} />
          <div>
            <Button look="primary" busy={busy} reason={reason} onClick={() => void start(fault)}>
              <Play size={14} aria-hidden />
              {state === 'idle' ? 'Start' : 'Start again'}
            </Button>
          </div>
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <div>
            <h3 className="mb-2 text-13 font-medium">What the visitor sees</h3>
            <div className="h-26 overflow-clip rounded-control border border-line bg-bg p-2">
              {component || <p className="text-13 text-ink-2">Start to see the component.</p>}
            </div>
          </div>
          <div>
            <h3 className="mb-2 flex items-center justify-between gap-2 text-13 font-medium">
              The calls <StatePill state={state} />
            </h3>
            {calls.length === 0 ? (
              <p className="text-13 text-ink-2">
                <Code>/intents</Code> by your backend, <Code>/challenge</Code> and <Code>/solve</Code> by the browser,{' '}
                <Code>/siteverify</Code> by your backend.
              </p>
            ) : (
              <ol aria-label="Calls" className="grid gap-2">
                {calls.map((call) => (
                  <CallRow key={call.number} call={call} tenant={site?.tenant} />
                ))}
              </ol>
            )}
          </div>
          <output className="text-13">
            {typeof state === 'object' && (
              <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
                <strong className="font-semibold">
                  It works: {counted(calls.length, 'call')}, {short(state.passed)} s
                  {state.held > 0 && `, of which ${short(state.held)} s are the minimum age of a raised challenge`}.
                </strong>
                {next}
              </span>
            )}
          </output>
        </div>
      </div>
      <ErrorNote error={error} />
    </>
  )
}

const EARLY = {
  cause: 'The difficulty of this challenge was raised, so that its solution is accepted only after some seconds.',
  fix: 'The component waits, and sends it again. Browsers that a program controls get such a challenge, and busy networks.',
}

const CALLERS: Readonly<Record<string, string>> = {
  '/intents': 'Your backend',
  '/siteverify': 'Your backend',
}

function CallRow({ call, tenant }: { call: Call; tenant: string | undefined }) {
  const { endpoint, status, request, reply } = call
  const textIn = (name: string) => (typeof reply[name] === 'string' ? reply[name] : undefined)
  const [decision, error, field] = [textIn('decision_id'), textIn('error'), textIn('field')]
  // the component's calls come without it
  const explained = useQuery(
    trpc.system.explain.queryOptions(
      { error: error ?? '', ...(field !== undefined && { field }) },
      { enabled: error !== undefined && call.why === undefined && !isEarly(call), staleTime: Number.POSITIVE_INFINITY },
    ),
  )
  const why = isEarly(call) ? EARLY : (call.why ?? explained.data)
  const linked = tenant !== undefined && decision !== undefined
  return (
    <li className="rounded-control border border-line">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-13">
          <Pill tone={status === 200 ? 'pass' : isEarly(call) ? 'challenge' : 'block'}>{String(status)}</Pill>
          <Code>{endpoint}</Code>
          <span className="text-12 text-ink-2">{CALLERS[endpoint] ?? 'The browser'}</span>
          {error !== undefined && <Code>{error}</Code>}
        </summary>
        <pre className="border-t border-line px-3 py-2 font-mono text-12 whitespace-pre-wrap wrap-anywhere">
          {`${JSON.stringify(request, null, 2)}\n\n${JSON.stringify(reply, null, 2)}`}
        </pre>
      </details>
      {(why !== undefined || linked) && (
        <p className="px-3 pt-1 pb-2 text-13/6 text-ink-2">
          {why && <Sentence text={`${why.cause} ${why.fix} `} />}
          {linked && (
            <Link to="/o/$tenant/decisions/$id" params={{ tenant, id: decision }}>
              Open the decision
            </Link>
          )}
        </p>
      )}
    </li>
  )
}
