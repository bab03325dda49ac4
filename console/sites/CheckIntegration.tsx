import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Section, Skeleton } from '../ui/page/Page.tsx'
import { counted } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { useSite, useSiteInput } from './useSite.ts'

const REFRESH_MS = 5000

const STATES = {
  done: <Pill tone="pass">Done</Pill>,
  missing: <Pill tone="challenge">Missing</Pill>,
  look: <Pill tone="challenge">Check</Pill>,
  later: <Pill tone="neutral">Not yet</Pill>,
} as const

/** What the service has received from the integration, in order, and what is missing. */
export function CheckIntegration() {
  const input = useSiteInput()
  const site = useSite()
  const { data, error, isFetching, refetch } = useQuery(
    trpc.sites.integration.queryOptions(input, { refetchInterval: REFRESH_MS }),
  )
  const refused = useQuery(trpc.hostnames.refused.queryOptions(input, { refetchInterval: REFRESH_MS }))
  const check = async () => {
    await Promise.all([refetch(), refused.refetch()])
  }
  if (error && !data) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />

  const [latest] = refused.data ?? []
  const forgotten = data !== undefined && data.intents.count > 0 && data.decisions.count === 0
  return (
    <Section
      title="Check my integration"
      description="What Tollgate has received from you in the last 24 hours. Updates automatically."
      actions={
        <Button busy={isFetching && !data} onClick={() => void check()}>
          Check again
        </Button>
      }
    >
      <ul aria-busy={!data} className="divide-y divide-line overflow-clip rounded-panel border border-line bg-surface">
        <Check title="The site is ready" state={readiness(site) === null ? 'done' : 'missing'}>
          {readiness(site) ?? 'It is live and has a working secret and a hostname.'}
        </Check>
        <Check title="Your backend opens intents" state={data && (data.intents.lastAt === null ? 'missing' : 'done')}>
          {data &&
            (data.intents.lastAt === null ? (
              <>
                No call to <Code>/intents</Code> with this site’s secret yet. Call it before you render the form.
              </>
            ) : (
              <Happened {...data.intents} one="intent" />
            ))}
        </Check>
        <Check
          title="Visitors solve challenges"
          state={data && (data.solved.lastAt !== null ? 'done' : data.intents.lastAt === null ? 'later' : 'missing')}
        >
          {data &&
            (data.solved.lastAt === null ? (
              'None yet. A solved challenge appears once its token is redeemed, so check your page and the next step.'
            ) : (
              <Happened {...data.solved} one="solved challenge" />
            ))}
        </Check>
        <Check
          title="Your backend redeems tokens"
          state={data && (forgotten ? 'missing' : data.decisions.lastAt !== null ? 'done' : 'later')}
        >
          {data &&
            (forgotten ? (
              <>
                You are not calling <Code>/siteverify</Code>: intents were opened, but no token was redeemed in 24
                hours. Until you redeem tokens, your form is not protected.
              </>
            ) : data.decisions.lastAt === null ? (
              <>
                Call <Code>/siteverify</Code> when the form is submitted, before you act on it.
              </>
            ) : (
              <Happened {...data.decisions} one="decision" />
            ))}
        </Check>
        <Check title="Hostnames are allowed" state={refused.data && (latest ? 'look' : 'done')}>
          {latest ? (
            <>
              <Code>{latest.hostname}</Code> was refused,{' '}
              <span className="whitespace-nowrap">
                <Time at={latest.lastAt} as="relative" />.
              </span>{' '}
              <Link to="/o/$tenant/sites/$site/hostnames" params={input}>
                Allow this host
              </Link>
            </>
          ) : (
            refused.data && 'No refused hosts.'
          )}
        </Check>
        <Check title="No test keys in production" state={data && (data.testKeyAt === null ? 'done' : 'look')}>
          {data &&
            (data.testKeyAt === null ? (
              'No test key was used on your hostnames in 24 hours.'
            ) : (
              <>
                A test key was used on one of your hostnames, <Time at={data.testKeyAt} as="relative" />. Test keys
                protect nothing: use this site’s keys in production.
              </>
            ))}
        </Check>
      </ul>
    </Section>
  )
}

/** Why the site cannot accept calls; null if it can. */
function readiness(site: { paused: boolean; liveSecrets: number; hostnames: string[] }): string | null {
  if (site.paused) return 'It is paused: every call is refused with site-disabled.'
  if (site.liveSecrets === 0) return 'No secret works: add one under Keys.'
  if (site.hostnames.length === 0) return 'No hostname is allowed: add one under Hostnames.'
  return null
}

function Happened({ count, lastAt, one }: { count: number; lastAt: number | null; one: string }) {
  return (
    <>
      {counted(count, one)}
      {lastAt !== null && (
        <>
          , the last <Time at={lastAt} as="relative" />
        </>
      )}
      .
    </>
  )
}

function Check({
  title,
  state,
  children,
}: {
  title: string
  /** Undefined while loading. */
  state: keyof typeof STATES | undefined
  children: ReactNode
}) {
  const id = useId()
  return (
    <li aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 py-3 sm:gap-x-6">
      <div className="min-w-0">
        <p id={id} className="text-13 font-medium">
          {title}
        </p>
        <div className="mt-0.5 min-h-5 text-13 text-ink-2">{state ? children : <Skeleton width="long" />}</div>
      </div>
      <span className="min-h-5">{state ? STATES[state] : <Skeleton width="short" />}</span>
    </li>
  )
}
