import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Head, titleOf } from '../decisions/Head.tsx'
import { Timeline } from '../decisions/Timeline.tsx'
import { DocsLink } from '../frame/DocsLink.tsx'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { codeOf } from '../ui/page/errorMessage.ts'
import { Page, Panel, Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { elapsed } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Sentence } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { StaffTrace } from './api.ts'
import { Notes } from './Notes.tsx'
import { TenantLink } from './StaffParts.tsx'
import { Changes, RawFields } from './TraceParts.tsx'
import { ViewAsLink } from './ViewAs.tsx'

const route = getRouteApi('/staff/trace/$id')
const REFRESH_MS = 10_000

/** Everything about one intent or refused request of any tenant. */
export function Trace() {
  const { id } = route.useParams()
  const query = useQuery(trpc.staff.trace.queryOptions({ id }, { refetchInterval: REFRESH_MS }))
  const { data, error } = query
  if (codeOf(error) === 'NOT_FOUND') return <TraceNotFound id={id} />
  return (
    <Page
      title={data ? titleOfTrace(data) : 'Trace'}
      context="Staff"
      breadcrumb={<Breadcrumb />}
      description={
        data ? (
          <span className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
            {data.refusal ? (
              <>
                <Pill tone="block">Refused</Pill>
                <Time at={data.refusal.at} as="zoned" />
              </>
            ) : (
              data.trace && <Head trace={data.trace} />
            )}
            {!data.trace && <code className="font-mono text-12 wrap-anywhere">{id}</code>}
          </span>
        ) : (
          !error && <Skeleton width="long" />
        )
      }
      actions={data && <CopySummary trace={data} />}
    >
      {error && !data ? (
        <ErrorPanel error={error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
      ) : (
        data && <TraceContent data={data} />
      )}
    </Page>
  )
}

const titleOfTrace = ({ trace, refusal }: StaffTrace): string =>
  refusal ? 'Refused request' : trace ? titleOf(trace) : 'Deleted intent'

function TraceContent({ data }: { data: StaffTrace }) {
  const { trace, refusals, subject, tenant, raw, audit } = data
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {refusals.length > 0 && <Refusals refusals={refusals} />}
          <Panel title="What happened">
            {trace ? (
              <Timeline trace={trace} />
            ) : (
              <p className="text-13 text-ink-2">
                {data.refusal?.intentId
                  ? 'Its intent is deleted: intents that were not redeemed are deleted after 26 hours.'
                  : 'The request named no intent, so nothing else is tied to it.'}
              </p>
            )}
          </Panel>
          {tenant && <Notes subject={subject} tenant={tenant.id} />}
        </div>
        <Panel title="Details">
          <TraceFacts data={data} />
        </Panel>
      </div>
      <Changes audit={audit} />
      <RawFields raw={raw} />
    </>
  )
}

function Refusals({ refusals }: { refusals: StaffTrace['refusals'] }) {
  return (
    <Panel title="What was refused" description="The likely cause and fix.">
      <ul className="grid gap-4 text-13">
        {refusals.map(({ requestId, at, endpoint, status, error, field, hostname, cause, fix, docs }) => (
          <li key={requestId} className="grid gap-1">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Pill tone="block">{`${status} ${error}`}</Pill>
              <span className="font-mono text-12">
                {endpoint}
                {field !== null && ` · ${field}`}
                {hostname !== null && ` · ${hostname}`}
              </span>
              <span className="text-12 text-ink-2">
                <Time at={at} as="relative" />
              </span>
            </p>
            <p>
              <Sentence text={cause} />
            </p>
            <p>
              <strong>
                <Sentence text={fix} />
              </strong>{' '}
              <DocsLink page={docs}>Read more</DocsLink>
            </p>
            <p className="text-12 text-ink-2">
              <CopyText text={requestId} name="request id" />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const Breadcrumb = () => <Link to="/staff">Search</Link>

function TenantName({ tenant }: Pick<StaffTrace, 'tenant'>) {
  if (!tenant) return 'No tenant'
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {tenant.deleted ? tenant.name : <TenantLink tenant={tenant} />}
      {tenant.deleted && <Pill tone="neutral">Deleted</Pill>}
      {tenant.suspended && <Pill tone="block">Suspended</Pill>}
    </span>
  )
}

/** Links to the site's page, as an admin of the tenant sees it. */
function SiteName({ tenant, site }: Pick<StaffTrace, 'tenant'> & Pick<NonNullable<StaffTrace['trace']>, 'site'>) {
  if (site.name === null) return 'Deleted'
  if (!tenant || tenant.deleted) return site.name
  return (
    <ViewAsLink tenant={tenant} place={{ site: site.id }}>
      {site.name}
    </ViewAsLink>
  )
}

function TraceFacts({ data: { tenant, trace, refusal, incidents } }: { data: StaffTrace }) {
  return (
    <Facts stacked>
      <Fact name="Tenant">
        <TenantName tenant={tenant} />
      </Fact>
      {trace && (
        <>
          <Fact name="Site">
            <SiteName tenant={tenant} site={trace.site} />
          </Fact>
          <Fact name="Action">{trace.action}</Fact>
          <Fact name="Hostname">{trace.hostname}</Fact>
          <Fact name="Intent">
            <CopyText text={trace.intent.id} name="intent id" />
          </Fact>
          {trace.decision && (
            <Fact name="Decision">
              <CopyText text={trace.decision.id} name="decision id" />
            </Fact>
          )}
          {trace.exemption && (
            <Fact name="Grant used">
              <Link to="/staff/trace/$id" params={{ id: trace.exemption.grantId }}>
                <span className="font-mono text-12">{trace.exemption.grantId}</span>
              </Link>
            </Fact>
          )}
        </>
      )}
      {incidents.length > 0 && (
        <Fact name="During an incident">
          {incidents.map(({ id, title, startedAt, endedAt }) => (
            <span key={id} className="block">
              {title}, from <Time at={startedAt} as="zoned" />
              {endedAt === null ? ', ongoing' : `, for ${elapsed(endedAt - startedAt)}`}
            </span>
          ))}
        </Fact>
      )}
      {refusal?.keyHint && <Fact name="Refused secret">ends in {refusal.keyHint}</Fact>}
    </Facts>
  )
}

/** Copies a summary for the support ticket. */
function CopySummary({ trace }: { trace: StaffTrace }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(summary(trace))
      toast('Summary copied', { description: 'For the ticket, without internal notes.' })
    } catch {
      toast('Could not copy: the browser denies access to the clipboard')
    }
  }
  return <Button onClick={() => void copy()}>Copy summary</Button>
}

function summary({ trace, refusals, tenant }: StaffTrace): string {
  const iso = (at: number) => new Date(at * 1000).toISOString()
  const lines = [
    tenant && `Tenant: ${tenant.name}`,
    trace && `Intent ${trace.intent.id}, opened ${iso(trace.intent.createdAt)}, ${trace.action} at ${trace.hostname}`,
    ...refusals.map(
      ({ endpoint, status, error, at, cause, fix }) => `${iso(at)} ${endpoint}: ${status} ${error}. ${cause} ${fix}`,
    ),
    trace?.decision &&
      `Redeemed ${iso(trace.decision.redeemedAt)} as ${trace.decision.id}, charged to: ${trace.decision.chargedTo}`,
    trace && !trace.decision && 'Not redeemed.',
  ]
  return lines.filter(Boolean).join('\n')
}

function TraceNotFound({ id }: { id: string }) {
  return (
    <Page
      title="Nothing found"
      context="Staff"
      breadcrumb={<Breadcrumb />}
      description="Intents that were not redeemed are deleted after 26 hours, refused requests after 30 days. A search names the file of an archived decision."
    >
      <div>
        <PageLink to="/staff" search={{ q: id }}>
          Search for it
        </PageLink>
      </div>
    </Page>
  )
}
