import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useParams } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { type ReactNode, useId } from 'react'
import { BACKEND_ENDPOINTS } from '../../server/contract/names.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { RefusalCode } from '../traffic/RefusalCode.tsx'
import { trpc } from '../trpc.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Section, Skeleton } from '../ui/page/Page.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code, Sentence } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import {
  type Finding,
  type RefusedHostname,
  type Site,
  useDoctor,
  useRefusedHostnames,
  useSite,
  useSiteInput,
} from './api.ts'

const route = getRouteApi('/o/$tenant/sites/$site/integrate')
const REFRESH_MS = 5000
/** The service counts no further. */
const MOST_COUNTED = 10_000

const STEP_PILLS = {
  done: <Pill tone="pass">Done</Pill>,
  missing: <Pill tone="challenge">Missing</Pill>,
  problem: <Pill tone="challenge">Check</Pill>,
  failing: <Pill tone="block">Failing</Pill>,
  later: <Pill tone="neutral">Not yet</Pill>,
} as const

/** What the service has received from the integration, in order, and what is missing. */
export function CheckIntegration() {
  const { data, error, isFetching, refetch } = useQuery(
    trpc.sites.integration.queryOptions(useSiteInput(), { refetchInterval: REFRESH_MS }),
  )
  const hosts = useRefusedHostnames(REFRESH_MS)
  const findings = useDoctor(route.useSearch().language).data?.findings
  const failed = data ? hosts : { error, isFetching, refetch }
  return (
    <Section
      title="Check my integration"
      description={
        <>
          Your calls of the last 24 hours. <DocsLink page="sdk-node#the-doctor">Check from outside too</DocsLink>
        </>
      }
    >
      {data && hosts.data ? (
        <Steps integration={data} hosts={hosts.data} findings={findings ?? []} />
      ) : failed.error ? (
        <ErrorPanel error={failed.error} retrying={failed.isFetching} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton width="long" />
      )}
    </Section>
  )
}

type Integration = inferOutput<typeof trpc.sites.integration>

/** `findings`: what the page shows as likely mistakes, with their fixes, which the steps do not repeat. */
function Steps({
  integration,
  hosts,
  findings,
}: {
  integration: Integration
  hosts: readonly RefusedHostname[]
  findings: readonly Finding[]
}) {
  const { intents, solved, decisions, refused, testKeyAt } = integration
  const input = useSiteInput()
  const site = useSite()
  // hostnames that only visitors sent may be made up
  const latest = hosts.find(({ claimed }) => !claimed)
  const hasSolved = solved.lastAt !== null || solved.count > 0
  /** Refused calls to show: all if none succeeded; else mistakes of the server only, because visitors cause the others. */
  const faultOf = (endpoint: string, passed = 0) => {
    const calls = refused.find((each) => each.endpoint === endpoint)
    return calls && (passed === 0 || calls.mistake) ? { ...calls, of: passed + calls.all } : undefined
  }
  const refusedIntents = faultOf('/intents', intents.count)
  const refusedTokens = faultOf('/siteverify', decisions.count)
  const isFound = ({ docs }: RefusedCalls) => findings.some((finding) => finding.docs === docs)
  const hasFound = (mistake: Finding['mistake']) => findings.some((finding) => finding.mistake === mistake)
  const otherCalls = refused.filter((calls) => calls.mistake && OTHER_ENDPOINTS.has(calls.endpoint) && !isFound(calls))
  const neverRedeemed = intents.count > 0 && decisions.count === 0
  return (
    <ul className="divide-y divide-line overflow-clip rounded-panel border border-line bg-surface">
      <Step title="The site is ready" state={notReadyReason(site) === null ? 'done' : 'missing'}>
        {notReadyReason(site) ?? 'It is live, with a secret and a hostname.'}
      </Step>
      <Step
        title="Your backend opens intents"
        state={refusedIntents ? stateOf(intents) : intents.lastAt === null ? 'missing' : 'done'}
      >
        {refusedIntents ? (
          isFound(refusedIntents) ? (
            <Succeeded {...refusedIntents} passed={intents.count} />
          ) : (
            <Refused {...refusedIntents} />
          )
        ) : intents.lastAt === null ? (
          <>
            No call to <Code>/intents</Code> with this site’s secret yet. Call it before you render the form.
          </>
        ) : (
          <LastEvent {...intents} one="intent" />
        )}
      </Step>
      <Step
        title="Visitors solve challenges"
        state={hasSolved ? 'done' : intents.lastAt === null ? 'later' : 'missing'}
      >
        {hasSolved ? (
          // its time is known only of those whose token was redeemed
          <LastEvent count={solved.count} lastAt={null} one="solved challenge" />
        ) : (
          'None in 24 hours. Open the page with your form: the component has to be in it, with this site’s key.'
        )}
      </Step>
      <Step
        title="Your backend redeems tokens"
        state={
          refusedTokens ? stateOf(decisions) : neverRedeemed ? 'missing' : decisions.lastAt === null ? 'later' : 'done'
        }
      >
        {refusedTokens ? (
          isFound(refusedTokens) ? (
            <Succeeded {...refusedTokens} passed={decisions.count} />
          ) : (
            <Refused {...refusedTokens} />
          )
        ) : neverRedeemed && hasFound('never-redeemed') ? (
          'No token was redeemed.'
        ) : neverRedeemed ? (
          <>
            You are not calling <Code>/siteverify</Code>: intents were opened, but no token was redeemed in 24 hours.
            Until you redeem tokens, your form is not protected.
          </>
        ) : decisions.lastAt === null ? (
          <>
            Call <Code>/siteverify</Code> when the form is submitted, before you act on it.
          </>
        ) : (
          <LastEvent {...decisions} one="decision" />
        )}
      </Step>
      {otherCalls.length > 0 && (
        <Step title="Your backend reports feedback and issues grants" state="problem">
          {otherCalls.map((calls) => (
            <p key={calls.endpoint}>
              <Refused {...calls} />
            </p>
          ))}
        </Step>
      )}
      <Step title="Hostnames are allowed" state={latest ? 'problem' : 'done'}>
        {latest ? (
          <>
            <Code>{latest.hostname}</Code> was refused,{' '}
            <span className="whitespace-nowrap">
              <Time at={latest.lastAt} as="relative" />.
            </span>
            {!findings.some(({ hostname }) => hostname === latest.hostname) && (
              <>
                {' '}
                <Link to="/o/$tenant/sites/$site/hostnames" params={input}>
                  Allow this host
                </Link>
              </>
            )}
          </>
        ) : (
          'No refused hosts.'
        )}
      </Step>
      <Step title="No test keys in production" state={testKeyAt === null ? 'done' : 'problem'}>
        {testKeyAt === null ? (
          'None was used on your hostnames.'
        ) : (
          <>
            A test key was used on one of your hostnames, <Time at={testKeyAt} as="relative" />.
            {!hasFound('test-key') && ' Test keys protect nothing: use this site’s keys in production.'}
          </>
        )}
      </Step>
    </ul>
  )
}

const OTHER_ENDPOINTS: ReadonlySet<string> = new Set(BACKEND_ENDPOINTS.slice(2))

/** The state of a step whose calls were refused. */
const stateOf = (passed: { count: number }) => (passed.count === 0 ? 'failing' : 'problem')

type RefusedCalls = Integration['refused'][number]

/** How many calls of an endpoint succeeded, with a link to the others. `passed`: those that did, `all`: those that did not. */
function Succeeded({ endpoint, all, passed }: RefusedCalls & { passed: number }) {
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

/** Why the site cannot accept calls; null if it can. */
function notReadyReason(site: Pick<Site, 'paused' | 'liveSecrets' | 'hostnames'>): string | null {
  if (site.paused) return 'It is paused: every call is refused with site-disabled.'
  if (site.liveSecrets === 0) return 'It has no active secret: add one under Keys.'
  if (site.hostnames.length === 0) return 'No hostname is allowed: add one under Hostnames.'
  return null
}

function LastEvent({ count, lastAt, one }: { count: number; lastAt: number | null; one: string }) {
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

function Step({ title, state, children }: { title: string; state: keyof typeof STEP_PILLS; children: ReactNode }) {
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
