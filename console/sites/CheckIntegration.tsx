import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { BACKEND_ENDPOINTS } from '../../server/contract/names.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { trpc } from '../trpc.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Section, Skeleton } from '../ui/page/Page.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Code } from '../ui/text/Snippet.tsx'
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
import { LastEvent, Refused, type RefusedCalls, Step, Succeeded } from './CheckParts.tsx'

const route = getRouteApi('/o/$tenant/sites/$site/integrate')
const REFRESH_MS = 5000
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

/** Why the site cannot accept calls; null if it can. */
function notReadyReason(site: Pick<Site, 'paused' | 'liveSecrets' | 'hostnames'>): string | null {
  if (site.paused) return 'It is paused: every call is refused with site-disabled.'
  if (site.liveSecrets === 0) return 'It has no active secret: add one under Keys.'
  if (site.hostnames.length === 0) return 'No hostname is allowed: add one under Hostnames.'
  return null
}
