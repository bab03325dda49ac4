import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Braces, MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { ReportButton } from '../feedback/ReportButton.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { useRevoke } from '../grants/api.ts'
import { GrantButton } from '../grants/GrantButton.tsx'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { Menu, MenuItem } from '../ui/overlay/Menu.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { codeOf } from '../ui/page/errorMessage.ts'
import { Page, Panel, Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { CopyButton, CopyLink, copy } from '../ui/text/CopyButton.tsx'
import { Link } from '../ui/text/Link.tsx'
import { ArchiveNotice } from './ArchiveNotice.tsx'
import type { Trace } from './api.ts'
import { Head, titleOf } from './Head.tsx'
import { Timeline } from './Timeline.tsx'
import { openedAt } from './words.ts'

const route = getRouteApi('/o/$tenant/decisions/$id')

/** One decision, from its intent to its feedback. Also shows an intent without a decision. */
export function Decision() {
  const { slug, name } = useTenant()
  const { id } = route.useParams()
  const trace = useQuery(trpc.decisions.get.queryOptions({ tenant: slug, id }))
  const { data, error } = trace
  if (codeOf(error) === 'NOT_FOUND') return <NoDecision id={id} />
  return (
    <Page
      title={data ? titleOf(data) : 'Decision'}
      context={name}
      breadcrumb={<Breadcrumb neighbours={data?.neighbours ?? NO_NEIGHBOURS} />}
      description={
        data ? (
          <span className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
            <Head trace={data} />
          </span>
        ) : (
          <Skeleton width="long" />
        )
      }
      actions={
        data && (
          <>
            {data.decision?.grant && <RevokeGrant grant={data.decision.grant} />}
            {data.decision && <GrantButton trace={data} grant={data.decision.grant} />}
            {data.decision && <ReportButton decision={reportableOf(data.intent.id, data.decision)} />}
            <Copies trace={data} />
          </>
        )
      }
    >
      {error ? (
        <ErrorPanel error={error} retrying={trace.isFetching} onRetry={() => void trace.refetch()} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21.5rem]">
          <Panel title="What happened">{data ? <Timeline trace={data} /> : <Skeleton width="long" />}</Panel>
          <Panel title="Details">{data ? <Details trace={data} /> : <Skeleton width="long" />}</Panel>
        </div>
      )}
    </Page>
  )
}

/** The buttons that copy, which are a menu on a phone. */
function Copies({ trace }: { trace: Trace }) {
  const json = () => JSON.stringify(trace, null, 2)
  return (
    <>
      <span className="hidden gap-2 sm:flex">
        <CopyLink />
        <CopyButton text={json} copied="Copied as JSON" icon={Braces} label="Copy JSON" />
      </span>
      <span className="sm:hidden">
        <Menu trigger={<IconButton framed icon={MoreHorizontal} label="More" />}>
          <MenuItem onClick={() => void copy(location.href, 'Link copied')}>Copy link</MenuItem>
          <MenuItem onClick={() => void copy(json(), 'Copied as JSON')}>Copy JSON</MenuItem>
        </Menu>
      </span>
    </>
  )
}

const NO_NEIGHBOURS = { newer: null, older: null }

/** The links to the list and to the decisions beside this one in it; `j` and `k` follow the latter. */
function Breadcrumb({ neighbours }: { neighbours: { newer: string | null; older: string | null } }) {
  const { slug } = useTenant()
  const link = (id: string | null, rel: 'prev' | 'next', word: string, key: string) =>
    id ? (
      <Link to="/o/$tenant/decisions/$id" params={{ tenant: slug, id }} rel={rel} title={`Key ${key}`}>
        {word}
      </Link>
    ) : (
      <span className="text-ink-3">{word}</span>
    )
  return (
    <nav aria-label="Decisions" className="flex min-h-6 flex-wrap items-center gap-x-3">
      <Link to="/o/$tenant/decisions" params={{ tenant: slug }}>
        Decisions
      </Link>
      <span className="flex gap-x-3 border-l border-line pl-3">
        {link(neighbours.older, 'next', 'Older', 'j')}
        {link(neighbours.newer, 'prev', 'Newer', 'k')}
      </span>
    </nav>
  )
}

/** Revokes the grant that was issued for the decision. */
function RevokeGrant({ grant }: { grant: NonNullable<NonNullable<Trace['decision']>['grant']> }) {
  const { whyNot } = useTenant()
  const { revoke, busy } = useRevoke()
  const [now] = useState(() => Date.now() / 1000)
  const over = grant.revokedAt !== null || grant.expiresAt <= now
  return (
    <Button
      busy={busy}
      reason={whyNot('grant.revoke') ?? (over ? 'The grant has ended already.' : undefined)}
      onClick={() => revoke(grant.id)}
    >
      Revoke grant
    </Button>
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
        {site.deleted ? (
          (site.name ?? 'Deleted')
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
            {intent.session === null ? (
              'none'
            ) : (
              <Link to="/o/$tenant/grants" params={{ tenant: slug }} search={{ session: intent.session }}>
                {`${intent.session}…`}
              </Link>
            )}
            , {intent.subject === null ? 'none' : `${intent.subject}…`}
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

function NoDecision({ id }: { id: string }) {
  const at = openedAt(id)
  const { slug, name } = useTenant()
  return (
    <Page
      title="Decision not found"
      context={name}
      description="No decision or intent of this tenant has this id. Intents that were not redeemed are deleted after 26 hours."
    >
      {at !== null && <ArchiveNotice from={at} />}
      <div>
        <PageLink to="/o/$tenant/decisions" params={{ tenant: slug }}>
          All decisions
        </PageLink>
      </div>
    </Page>
  )
}
