import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import { titleOf } from '../incidents/title.ts'
import { trpc } from '../trpc.ts'
import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Page, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { AnswerRequest } from './AnswerRequest.tsx'
import type { TenantDetails } from './api.ts'
import { HealthPills } from './HealthPills.tsx'
import { Notes } from './Notes.tsx'
import { Plan } from './Plan.tsx'
import { Suspension } from './Suspension.tsx'
import { ViewAs, ViewAsLink } from './ViewAs.tsx'
import { ANOMALY_WORDS } from './words.ts'

const REFRESH_MS = 30_000

/** One tenant as staff see it: health, plan, sites, members and actions. */
export function Tenant() {
  const { tenant: id } = useParams({ from: '/staff/tenants/$tenant' })
  const details = useQuery(trpc.staff.tenants.get.queryOptions({ tenant: id }, { refetchInterval: REFRESH_MS }))
  if (details.data) return <TenantPage tenant={details.data} />
  return (
    <Page title="Tenant" context="Staff">
      {details.error ? (
        <ErrorPanel error={details.error} retrying={details.isFetching} onRetry={() => void details.refetch()} />
      ) : (
        <Skeleton width="long" />
      )}
    </Page>
  )
}

function TenantPage({ tenant }: { tenant: TenantDetails }) {
  const { id, slug, name, health, anomalies, suspendedAt, createdAt } = tenant
  return (
    <Page
      title={name}
      context="Staff"
      description={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            {slug} · since <Time at={createdAt} as="day" />
          </span>
          <HealthPills anomalies={anomalies} suspended={suspendedAt !== null} />
        </span>
      }
      actions={
        <>
          <ViewAs key={id} tenant={tenant} />
          <Suspension tenant={tenant} />
        </>
      }
    >
      {suspendedAt !== null && (
        <Notice tone="block" title="Suspended: all verifications are refused">
          Since <Time at={suspendedAt} />. The audit log shows who did it and why.
        </Notice>
      )}
      <Ongoing tenant={tenant} />
      {anomalies.map(({ code, value }) =>
        // they have notices of their own
        code === 'units-requested' || code === 'incident' ? null : (
          <Notice
            key={code}
            tone={ANOMALY_WORDS[code].tone === 'block' ? 'block' : 'challenge'}
            title={ANOMALY_WORDS[code].brief(value)}
          >
            {ANOMALY_WORDS[code].advice(value, health)}{' '}
            {code === 'refusals' && (
              <ViewAsLink tenant={tenant} place="refusals">
                See which in their request log
              </ViewAsLink>
            )}
          </Notice>
        ),
      )}
      <Strip busy={false}>
        <Figure
          name="Completed"
          value={whole(health.redeemed)}
          note={`in 24 hours, ${whole(health.redeemedBefore)} a week before`}
        />
        <Figure name="Intents" value={whole(health.intents)} note="opened in 24 hours" />
        <Figure
          name="Refused"
          value={whole(health.refused)}
          note={`${percent(health.refused / Math.max(1, health.refused + health.intents + health.redeemed))} of all answers`}
        />
        <Figure
          name="Last decision"
          value={health.lastDecisionAt === null ? 'never' : <Time at={health.lastDecisionAt} as="relative" />}
          note="completed verification"
        />
      </Strip>
      <Plan tenant={tenant} />
      <Sites tenant={tenant} />
      <Members tenant={tenant} />
      <Views tenant={tenant} />
      <Notes subject={id} tenant={id} />
      <p className="text-12 text-ink-2">
        Tenant id <CopyText text={id} name="tenant id" />
      </p>
    </Page>
  )
}

/** What the tenant asks for, and what happens at its sites now. */
function Ongoing({ tenant }: { tenant: TenantDetails }) {
  const { request, incidents } = tenant
  return (
    <>
      {request && (
        <Notice
          tone="info"
          title={`Asks for ${whole(request.units)} units a month`}
          action={<AnswerRequest request={request} look="primary" />}
        >
          {request.asker}, <Time at={request.createdAt} as="zoned" />: “{request.reason}”
        </Notice>
      )}
      {incidents.map(({ id, startedAt, ...incident }) => (
        <Notice key={id} tone="challenge" title={titleOf(incident)}>
          Since <Time at={startedAt} as="zoned" />.{' '}
          <ViewAsLink tenant={tenant} place={{ incident: id }}>
            See the incident
          </ViewAsLink>
        </Notice>
      ))}
    </>
  )
}

type SiteRow = { tenant: TenantDetails; site: TenantDetails['sites'][number] }

const siteColumns: readonly Column<SiteRow>[] = [
  column('Site', ({ tenant, site: { id, name } }) => (
    <ViewAsLink tenant={tenant} place={{ site: id }}>
      {name}
    </ViewAsLink>
  )),
  column('Site key', ({ site }) => <CopyText text={site.sitekey} name="site key" />, { width: 'wide' }),
  column('State', ({ site }) => <Pill tone={site.paused ? 'neutral' : 'pass'}>{site.paused ? 'Paused' : 'Live'}</Pill>),
  column('Completed, 24 h', ({ site }) => whole(site.redeemed), { align: 'right' }),
  column('Refused, 24 h', ({ site }) => whole(site.refused), { align: 'right' }),
]

function Sites({ tenant }: { tenant: TenantDetails }) {
  return (
    <Section title="Sites">
      <Table
        label="Sites"
        list={{ data: tenant.sites.map((site) => ({ tenant, site })) }}
        columns={siteColumns}
        rowKey={({ site }) => site.id}
        marked={useLocation().hash}
        empty={<EmptyState title="No sites">This tenant has no sites.</EmptyState>}
      />
    </Section>
  )
}

const memberColumns: readonly Column<TenantDetails['members'][number]>[] = [
  column('Name', ({ name }) => <span className="font-medium">{name}</span>),
  column('E-mail', ({ email }) => <CopyText text={email} name="e-mail address" />, { width: 'wide' }),
  column('Role', ({ role }) => role),
  column('Second factor', ({ twoFactor }) => (
    <Pill tone={twoFactor ? 'pass' : 'neutral'}>{twoFactor ? 'On' : 'Off'}</Pill>
  )),
]

function Members({ tenant }: { tenant: TenantDetails }) {
  return (
    <Section title="Members">
      <Table
        label="Members"
        list={{ data: tenant.members }}
        columns={memberColumns}
        rowKey={({ userId }) => userId}
        marked={useLocation().hash}
        empty={
          <EmptyState title="No members">
            This tenant was created on the command line, and no one has been invited yet.
          </EmptyState>
        }
      />
    </Section>
  )
}

const viewColumns: readonly Column<TenantDetails['viewsAs'][number]>[] = [
  column('Who', ({ name }) => <span className="font-medium">{name}</span>),
  column('Reason', ({ reason }) => reason, { width: 'wide' }),
  column('Began', ({ startedAt }) => <Time at={startedAt} as="relative" />, { align: 'right' }),
  column('Ended', ({ endedAt, endsAt }) => <Time at={endedAt ?? endsAt} as="relative" />, { align: 'right' }),
]

function Views({ tenant }: { tenant: TenantDetails }) {
  if (tenant.viewsAs.length === 0) return null
  return (
    <Section title="Views as this tenant" description="By staff. Also recorded in the tenant’s audit log.">
      <Table
        label="Views as this tenant"
        list={{ data: tenant.viewsAs }}
        columns={viewColumns}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Section>
  )
}
