import { useMutation, useQuery } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page, Panel, Section, Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { SystemStatus } from './api.ts'
import { FailedJobs } from './FailedJobs.tsx'

const REFRESH_MS = 5000

/** The state of this node, its database and its background jobs, with those that failed. */
export function System() {
  const system = useQuery(trpc.staff.system.view.queryOptions(undefined, { refetchInterval: REFRESH_MS }))
  const { data } = system
  return (
    <Page
      title="System"
      context="Staff"
      description="This node, and the database that all nodes share. Updates every 5 s."
    >
      {system.error && !data ? (
        <ErrorPanel error={system.error} retrying={system.isFetching} onRetry={() => void system.refetch()} />
      ) : data ? (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
            <Node data={data} />
            <Database data={data} />
          </div>
          <Reconciliation data={data} />
          <FailedJobs />
          <Section title="Jobs" description="Background jobs. Each runs on one node at a time.">
            <Table
              label="Jobs"
              list={{ ...system, data: data.jobs }}
              columns={jobColumns}
              rowKey={({ task }) => task}
              empty={null}
            />
          </Section>
        </>
      ) : (
        <Skeleton width="long" />
      )}
    </Page>
  )
}

const LIMIT_STORES = {
  local: { tone: 'neutral', label: 'This node only' },
  shared: { tone: 'pass', label: 'Shared through Redis' },
  away: { tone: 'block', label: 'Redis unavailable: per node' },
} as const satisfies Record<SystemStatus['limits'], object>

const megabytes = (bytes: number) => `${whole(Math.round(bytes / 1e6))} MB`

function Node({ data: { version, mode, process, limits } }: { data: SystemStatus }) {
  return (
    <Panel title="Node">
      <Facts>
        <Fact name="Tollgate">
          {version}, {mode}
        </Fact>
        <Fact name="Node.js">
          {process.node}, {process.platform}
        </Fact>
        <Fact name="Process">
          {process.pid}, started <Time at={process.startedAt} as="relative" />
        </Fact>
        <Fact name="Memory">
          {megabytes(process.memory)}, of which heap {megabytes(process.heapUsed)}
        </Fact>
        <Fact name="Limits">
          <Pill tone={LIMIT_STORES[limits].tone}>{LIMIT_STORES[limits].label}</Pill>
        </Fact>
      </Facts>
    </Panel>
  )
}

function Database({ data: { database } }: { data: SystemStatus }) {
  return (
    <Panel title="Database">
      <Facts>
        <Fact name="PostgreSQL">
          {database.version}, {database.kind}
        </Fact>
        <Fact name="Size">{megabytes(database.size)}</Fact>
        <Fact name="Connections">
          {whole(database.connections)} of {whole(database.maxConnections)}
        </Fact>
        <Fact name="Migrations">
          {counted(database.migrations.applied, 'migration')}
          <span className="block font-mono text-12 text-ink-2">{database.migrations.latest}</span>
        </Fact>
      </Facts>
    </Panel>
  )
}

function Reconciliation({ data: { reconciliation, reconciling } }: { data: SystemStatus }) {
  const run = useMutation(
    trpc.staff.system.reconcile.mutationOptions({
      onSuccess: () => toast('Reconciliation started', { description: 'The result appears here when it is done.' }),
    }),
  )
  return (
    <Panel
      title="Reconciliation"
      description="Compares the charges with the decisions and verifies the hash chains of the audit, each night and on request. Decisions of earlier comparisons are counted again on Sundays."
      actions={
        <Button busy={run.isPending || reconciling} onClick={() => run.mutate()}>
          {reconciling ? 'Running…' : 'Run now'}
        </Button>
      }
    >
      {reconciliation === null ? (
        <p className="text-13 text-ink-2">{reconciling ? 'Running…' : 'It has not run yet.'}</p>
      ) : (
        <div className="grid gap-3 text-13">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Pill tone={reconciliation.differing === 0 ? 'pass' : 'block'}>
              {reconciliation.differing === 0 ? 'All charges match' : `${whole(reconciliation.differing)} differ`}
            </Pill>
            <span>
              {counted(reconciliation.decisions, 'decision')} of all tenants,{' '}
              <Time at={reconciliation.at} as="relative" />
            </span>
          </p>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Pill tone={reconciliation.audit.faulty === 0 ? 'pass' : 'block'}>
              {reconciliation.audit.faulty === 0
                ? 'The audit is complete'
                : `${counted(reconciliation.audit.faulty, 'audit event')} changed, missing or inserted`}
            </Pill>
            <span>{counted(reconciliation.audit.events, 'audit event')}</span>
          </p>
          {reconciliation.mismatches.map(({ tenant_id, month, kind, charged, expected }) => (
            <p key={`${tenant_id} ${month} ${kind}`} className="font-mono text-12 wrap-anywhere">
              {tenant_id} {kind} {month?.slice(0, 7)}: {charged}, but the decisions say {expected}
            </p>
          ))}
          {reconciliation.audit.faults.map(({ tenant_id, seq, id, kind }) => (
            <p key={`${tenant_id} ${seq} ${kind}`} className="font-mono text-12 wrap-anywhere">
              {tenant_id ?? 'no tenant'}, event {seq} {id}: {kind}
            </p>
          ))}
        </div>
      )}
    </Panel>
  )
}

const JOB_PILLS = {
  healthy: <Pill tone="pass">Healthy</Pill>,
  waiting: <Pill tone="neutral">Not due yet</Pill>,
  overdue: <Pill tone="challenge">Overdue</Pill>,
  failing: <Pill tone="block">Failed</Pill>,
} satisfies Record<SystemStatus['jobs'][number]['state'], unknown>

const jobColumns: readonly Column<SystemStatus['jobs'][number]>[] = [
  column('Job', ({ task }) => <span className="font-mono text-12">{task}</span>),
  column(
    'State',
    ({ state, failing }) =>
      failing ? (
        <>
          <Pill tone="block">{`Failed ${failing.attempts} of ${failing.maxAttempts}`}</Pill>
          <span className="mt-1 block font-mono text-12 wrap-anywhere">{failing.error}</span>
        </>
      ) : (
        JOB_PILLS[state]
      ),
    { width: 'wide' },
  ),
  column('Last scheduled', ({ lastRunAt }) => (lastRunAt === null ? 'Never' : <Time at={lastRunAt} as="relative" />), {
    align: 'right',
  }),
  column('Next', ({ nextRunAt }) => (nextRunAt === null ? 'Not known' : <Time at={nextRunAt} as="relative" />), {
    align: 'right',
  }),
]
