import { useParams } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { type ReactNode, useId } from 'react'
import { RefusalCode } from '../traffic/RefusalCode.tsx'
import type { trpc } from '../trpc.ts'
import { counted, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code, Sentence } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { useSiteInput } from './api.ts'

/** The service counts no further. */
const MOST_COUNTED = 10_000

const STEP_PILLS = {
  done: <Pill tone="pass">Done</Pill>,
  missing: <Pill tone="challenge">Missing</Pill>,
  problem: <Pill tone="challenge">Check</Pill>,
  failing: <Pill tone="block">Failing</Pill>,
  later: <Pill tone="neutral">Not yet</Pill>,
} as const

export type RefusedCalls = inferOutput<typeof trpc.sites.integration>['refused'][number]

/** How many calls of an endpoint succeeded, with a link to the others. `passed`: those that did, `all`: those that did not. */
export function Succeeded({ endpoint, all, passed }: RefusedCalls & { passed: number }) {
  const { tenant, site } = useSiteInput()
  return (
    <>
      {passed === 0 ? 'None' : whole(passed)} of {counted(passed + all, 'call')} succeeded;{' '}
      <Link to="/o/$tenant/refusals" params={{ tenant }} search={{ period: '24h', site, endpoint }}>
        {all === 1 ? '1 was refused' : `${whole(all)} were refused`}
      </Link>
      .
    </>
  )
}

/** The refused calls of an endpoint: the last one with its cause and fix, and a link to all. `of`: all calls of the endpoint. */
export function Refused({ endpoint, count, of = count, code, field, at, cause, fix }: RefusedCalls & { of?: number }) {
  const { tenant, site } = useParams({ strict: false })
  const label = <RefusalCode code={code} field={field} />
  const search = { period: '24h', site, endpoint, code, ...(field !== null && { field }) } as const
  return (
    <>
      {of === count ? counted(count, 'call') : `${whole(count)} of ${counted(of, 'call')}`} of <Code>{endpoint}</Code>{' '}
      {count === 1 ? 'was' : 'were'} refused in 24 hours, the last <Time at={at} as="relative" />:{' '}
      {tenant === undefined ? (
        label
      ) : (
        <Link to="/o/$tenant/refusals" params={{ tenant }} search={search}>
          {label}
        </Link>
      )}
      . <Sentence text={`${cause} ${fix}`} />
    </>
  )
}

/** How many calls succeeded, and when the last one did. `lastAt`: Unix seconds. */
export function LastEvent({ count, lastAt, one }: { count: number; lastAt: number | null; one: string }) {
  return (
    <>
      {count > MOST_COUNTED ? `More than ${counted(MOST_COUNTED, one)}` : counted(count, one)}
      {lastAt !== null && (
        <>
          , the last <Time at={lastAt} as="relative" />
        </>
      )}
      .
    </>
  )
}

/** A step with its state. */
export function Step({
  title,
  state,
  children,
}: {
  title: string
  state: keyof typeof STEP_PILLS
  children: ReactNode
}) {
  const id = useId()
  return (
    <li aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 py-3 sm:gap-x-6">
      <div className={`min-w-0 ${state === 'done' ? 'sm:flex sm:flex-wrap sm:gap-x-3' : ''}`}>
        <p id={id} className="text-13 font-medium">
          {title}
        </p>
        <div className="max-w-136 text-13 text-pretty text-ink-2">{children}</div>
      </div>
      {STEP_PILLS[state]}
    </li>
  )
}
