import { Meter } from '../ui/chart/Meter.tsx'
import { Button } from '../ui/form/Button.tsx'
import { Panel, Section } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { AdjustBalance, AdjustQuota, useUndoBalance, useUndoQuota } from './Adjust.tsx'
import { StaffActor } from './StaffActor.tsx'
import type { StaffTenantView } from './staffTenant.ts'

type Entry = StaffTenantView['entries'][number]
type Change = StaffTenantView['quotaChanges'][number]

/** Something of a tenant. */
type Row<Of> = { tenant: StaffTenantView; of: Of }

const rowsOf = <Of,>(tenant: StaffTenantView, all: Of[]) =>
  singlePage({ data: all.map((of) => ({ tenant, of })), error: null, isFetching: false, refetch: () => undefined })

const signed = (units: number) => (units > 0 ? `+${whole(units)}` : whole(units).replace('-', '−'))

/** What the tenant may use, and how it came to that. */
export function Plan({ tenant }: { tenant: StaffTenantView }) {
  const { forecast } = tenant
  const { used, included, balance } = tenant.health
  return (
    <>
      <Panel
        title="Plan"
        description={`${whole(tenant.monthlyQuota)} units a month, plus ${whole(balance)} prepaid.`}
        actions={
          <>
            <AdjustQuota tenant={tenant} />
            <AdjustBalance tenant={tenant} />
          </>
        }
      >
        <Meter label={`${whole(used)} of ${whole(included)} used this month`} value={used} max={included} />
        {forecast !== null && (
          <p className="mt-2 text-13 text-ink-2">
            Forecast for the month: about {whole(forecast.likely)}, between {whole(forecast.low)} and{' '}
            {whole(forecast.high)}.
          </p>
        )}
      </Panel>
      <Entries tenant={tenant} />
      <Changes tenant={tenant} />
    </>
  )
}

const entryColumns: readonly Column<Row<Entry>>[] = [
  { header: 'Reason', width: 'wide', cell: ({ of }) => <span className="font-medium">{of.reason}</span> },
  { header: 'Units', align: 'right', cell: ({ of }) => signed(of.units) },
  { header: 'By', cell: ({ of }) => <StaffActor actor={of.actor} /> },
  { header: 'When', align: 'right', cell: ({ of }) => <Time at={of.createdAt} as="relative" /> },
  { header: 'Undo', hidden: true, align: 'right', cell: (row) => <UndoEntry {...row} /> },
]

function UndoEntry({ tenant, of: { id, reason, undone } }: Row<Entry>) {
  const undo = useUndoBalance(tenant)
  if (undone) return <Pill tone="neutral">Undone</Pill>
  return (
    <Button
      size="small"
      aria-label={`Undo: ${reason}`}
      busy={undo.isPending}
      onClick={() => undo.mutate({ tenant: tenant.id, entry: id })}
    >
      Undo
    </Button>
  )
}

function Entries({ tenant }: { tenant: StaffTenantView }) {
  return (
    <Section title="Balance entries" description="Entries are never changed. Undo adds a counter-entry.">
      <DataTable
        label="Balance entries"
        list={rowsOf(tenant, tenant.entries)}
        columns={entryColumns}
        rowKey={({ of }) => of.id}
        empty={<EmptyState title="No balance entries yet">Top-ups are listed here.</EmptyState>}
      />
    </Section>
  )
}

const changeColumns: readonly Column<Row<Change>>[] = [
  {
    header: 'Reason',
    width: 'wide',
    cell: ({ of }) => <span className="font-medium">{of.reason ?? 'none given'}</span>,
  },
  { header: 'Before', align: 'right', cell: ({ of }) => (of.before === null ? '–' : whole(of.before)) },
  { header: 'After', align: 'right', cell: ({ of }) => (of.after === null ? '–' : whole(of.after)) },
  { header: 'By', cell: ({ of }) => <StaffActor actor={of.actor} /> },
  { header: 'When', align: 'right', cell: ({ of }) => <Time at={of.createdAt} as="relative" /> },
  { header: 'Undo', hidden: true, align: 'right', cell: (row) => <UndoChange {...row} /> },
]

function UndoChange({ tenant, of: { id, before, undoable } }: Row<Change>) {
  const undo = useUndoQuota(tenant)
  if (!undoable || before === null) return null
  return (
    <Button
      size="small"
      aria-label={`Undo: set the quota back to ${whole(before)}`}
      busy={undo.isPending}
      onClick={() => undo.mutate({ tenant: tenant.id, event: id })}
    >
      Undo
    </Button>
  )
}

function Changes({ tenant }: { tenant: StaffTenantView }) {
  if (tenant.quotaChanges.length === 0) return null
  return (
    <Section title="Quota changes">
      <DataTable
        label="Quota changes"
        list={rowsOf(tenant, tenant.quotaChanges)}
        columns={changeColumns}
        rowKey={({ of }) => of.id}
        empty={null}
      />
    </Section>
  )
}
