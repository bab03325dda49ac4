import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { trpc } from '../trpc.ts'
import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Page, Section, Skeleton } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { Anomalies } from './Anomalies.tsx'
import { ANOMALIES } from './anomalies.ts'
import { Notes } from './Notes.tsx'
import { Plan } from './Plan.tsx'
import { Suspension } from './Suspension.tsx'
import type { StaffTenantView } from './staffTenant.ts'
import { ViewAs } from './ViewAs.tsx'

const REFRESH_MS = 30_000

/** One tenant as our own people see it: how it is, what it may use, whose it is, and what can be done. */
export function Tenant() {
  const { tenant: id } = useParams({ from: '/staff/tenants/$tenant' })
  const found = useQuery(trpc.staff.tenants.get.queryOptions({ tenant: id }, { refetchInterval: REFRESH_MS }))
  if (found.data) return <View tenant={found.data} />
  return (
    <Page title="Tenant" context="Staff">
      {found.error ? (
        <ErrorPanel error={found.error} retrying={found.isFetching} onRetry={() => void found.refetch()} />
      ) : (
        <Skeleton width="long" />
      )}
    </Page>
  )
}

function View({ tenant }: { tenant: StaffTenantView }) {
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
          <Anomalies anomalies={anomalies} suspended={suspendedAt !== null} />
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
          Since <Time at={suspendedAt} />. The audit log shows by whom and why.
        </Notice>
      )}
      {anomalies.map(({ code, value }) => (
        <Notice
          key={code}
          tone={ANOMALIES[code].tone === 'block' ? 'block' : 'challenge'}
          title={ANOMALIES[code].brief(value)}
        >
          {ANOMALIES[code].advice(value)}
        </Notice>
      ))}
      <Strip busy={false}>
        <Figure
          name="Redeemed"
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
          note="redeemed token"
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

const still = <Row,>(data: Row[]) => singlePage({ data, error: null, isFetching: false, refetch: () => undefined })

const siteColumns: readonly Column<StaffTenantView['sites'][number]>[] = [
  { header: 'Site', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { header: 'Site key', width: 'wide', cell: ({ sitekey }) => <CopyText text={sitekey} name="site key" /> },
  {
    header: 'State',
    cell: ({ paused }) => <Pill tone={paused ? 'neutral' : 'pass'}>{paused ? 'Paused' : 'Live'}</Pill>,
  },
  { header: 'Redeemed, 24 h', align: 'right', cell: ({ redeemed }) => whole(redeemed) },
  { header: 'Refused, 24 h', align: 'right', cell: ({ refused }) => whole(refused) },
]

function Sites({ tenant }: { tenant: StaffTenantView }) {
  return (
    <Section title="Sites">
      <DataTable
        label="Sites"
        list={still(tenant.sites)}
        columns={siteColumns}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No sites">This tenant has no sites.</EmptyState>}
      />
    </Section>
  )
}

const memberColumns: readonly Column<StaffTenantView['members'][number]>[] = [
  { header: 'Name', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { header: 'E-mail', width: 'wide', cell: ({ email }) => <CopyText text={email} name="e-mail address" /> },
  { header: 'Role', cell: ({ role }) => role },
  {
    header: 'Second factor',
    cell: ({ twoFactor }) => <Pill tone={twoFactor ? 'pass' : 'neutral'}>{twoFactor ? 'On' : 'Off'}</Pill>,
  },
]

function Members({ tenant }: { tenant: StaffTenantView }) {
  return (
    <Section title="Members">
      <DataTable
        label="Members"
        list={still(tenant.members)}
        columns={memberColumns}
        rowKey={({ userId }) => userId}
        empty={
          <EmptyState title="No members">
            This tenant was created on the command line and nobody has been invited.
          </EmptyState>
        }
      />
    </Section>
  )
}

const viewColumns: readonly Column<StaffTenantView['viewsAs'][number]>[] = [
  { header: 'Who', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { header: 'Reason', width: 'wide', cell: ({ reason }) => reason },
  { header: 'Began', align: 'right', cell: ({ startedAt }) => <Time at={startedAt} as="relative" /> },
  { header: 'Ended', align: 'right', cell: ({ endedAt, endsAt }) => <Time at={endedAt ?? endsAt} as="relative" /> },
]

function Views({ tenant }: { tenant: StaffTenantView }) {
  if (tenant.viewsAs.length === 0) return null
  return (
    <Section title="Views as this tenant" description="By staff. Also recorded in the tenant’s audit log.">
      <DataTable
        label="Views as this tenant"
        list={still(tenant.viewsAs)}
        columns={viewColumns}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Section>
  )
}
