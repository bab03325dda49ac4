import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { ReportButton } from '../feedback/ReportButton.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { codeOf } from '../ui/page/errorMessage.ts'
import { Page, Panel, Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Link } from '../ui/text/Link.tsx'
import type { Trace } from './api.ts'
import { Timeline } from './Timeline.tsx'

const route = getRouteApi('/o/$tenant/decisions/$id')

/** One decision, from its intent to its feedback. Also shows an intent without a decision. */
export function Decision() {
  const { slug, name } = useTenant()
  const { id } = route.useParams()
  const trace = useQuery(trpc.decisions.get.queryOptions({ tenant: slug, id }))
  const { data, error } = trace
  if (codeOf(error) === 'NOT_FOUND') return <NoDecision />
  return (
    <Page
      title={data && data.decision === null ? 'Intent' : 'Decision'}
      context={name}
      description={<code className="font-mono text-12 wrap-anywhere">{id}</code>}
      actions={
        <>
          {data?.decision && <ReportButton decision={reportableOf(data.intent.id, data.decision)} />}
          <CopyLink />
        </>
      }
    >
      {error ? (
        <ErrorPanel error={error} retrying={trace.isFetching} onRetry={() => void trace.refetch()} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Panel title="What happened">{data ? <Timeline trace={data} /> : <Skeleton width="long" />}</Panel>
          <Panel title="Details">{data ? <Details trace={data} /> : <Skeleton width="long" />}</Panel>
        </div>
      )}
    </Page>
  )
}

/** What the feedback form needs to know about a decision. */
const reportableOf = (id: string, { redeemedAt, feedback }: NonNullable<Trace['decision']>) => ({
  id,
  redeemedAt,
  latest: feedback.at(-1),
})

function Details({ trace }: { trace: Trace }) {
  const { slug } = useTenant()
  const { site, action, hostname, intent, exemption, decision } = trace
  return (
    <Facts stacked>
      {decision && (
        <Fact name="Decision">
          <CopyText text={decision.id} name="decision id" />
        </Fact>
      )}
      <Fact name="Intent">
        <CopyText text={intent.id} name="intent id" />
      </Fact>
      <Fact name="Site">
        {site.name === null ? (
          'Deleted'
        ) : (
          <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: site.id }}>
            {site.name}
          </Link>
        )}
      </Fact>
      <Fact name="Action">
        <CopyText text={action} name="action" />
      </Fact>
      <Fact name="Hostname">
        <CopyText text={hostname} name="hostname" />
      </Fact>
      {(intent.session !== null || intent.subject !== null) && (
        <Fact name="Session, subject">
          <code className="font-mono text-12">
            {intent.session === null ? 'none' : `${intent.session}…`},{' '}
            {intent.subject === null ? 'none' : `${intent.subject}…`}
          </code>
        </Fact>
      )}
      {exemption && (
        <Fact name="Grant used">
          <CopyText text={exemption.grantId} name="id of the grant used" />
        </Fact>
      )}
      {exemption?.grant && (
        <Fact name="Grant issued for">
          <FullDecisionLink id={exemption.grant.decisionId} />
        </Fact>
      )}
      {decision?.grant && (
        <Fact name="Grant issued">
          <CopyText text={decision.grant.id} name="id of the grant issued" />
        </Fact>
      )}
    </Facts>
  )
}

function FullDecisionLink({ id }: { id: string }) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/decisions/$id" params={{ tenant: slug, id }}>
      <span className="font-mono text-12 wrap-anywhere">{id}</span>
    </Link>
  )
}

function CopyLink() {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href)
      toast('Link copied', { description: 'Members of this tenant can open it.' })
    } catch {
      toast('Could not copy the link', { description: 'Copy it from the address bar instead.' })
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <Link2 size={14} aria-hidden />
      Copy link
    </Button>
  )
}

function NoDecision() {
  const { slug, name } = useTenant()
  return (
    <Page
      title="Decision not found"
      context={name}
      description="No decision or intent of this tenant has this id. Intents that were not redeemed are deleted after 26 hours."
    >
      <div>
        <PageLink to="/o/$tenant/decisions" params={{ tenant: slug }}>
          All decisions
        </PageLink>
      </div>
    </Page>
  )
}
