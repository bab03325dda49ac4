import { Meter } from '../ui/chart/Meter.tsx'
import { Button } from '../ui/form/Button.tsx'
import { Panel, Section } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { AdjustBalance, AdjustQuota, useUndoBalance, useUndoQuota } from './Adjust.tsx'
import type { TenantDetails } from './api.ts'
import { ActorName } from './StaffParts.tsx'

type Entry = TenantDetails['entries'][number]
type QuotaChange = TenantDetails['quotaChanges'][number]

/** A row with its tenant, which the undo button needs. */
type Row<Item> = { tenant: TenantDetails; item: Item }

const rowsOf = <Item,>(tenant: TenantDetails, items: Item[]) =>
  singlePage({
    data: items.map((item) => ({ tenant, item })),
    error: null,
    isFetching: false,
    refetch: () => undefined,
  })

const signed = (units: number) => (units > 0 ? `+${whole(units)}` : whole(units).replace('-', '−'))

/** The tenant's quota and balance, and how they were changed. */
export function Plan({ tenant }: { tenant: TenantDetails }) {
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
      <BalanceEntries tenant={tenant} />
      <QuotaChanges tenant={tenant} />
    </>
  )
}

const entryColumns: readonly Column<Row<Entry>>[] = [
  { header: 'Reason', width: 'wide', cell: ({ item }) => <span className="font-medium">{item.reason}</span> },
  { header: 'Units', align: 'right', cell: ({ item }) => signed(item.units) },
  { header: 'By', cell: ({ item }) => <ActorName actor={item.actor} /> },
  { header: 'When', align: 'right', cell: ({ item }) => <Time at={item.createdAt} as="relative" /> },
  { header: 'Undo', hidden: true, align: 'right', cell: (row) => <UndoEntry {...row} /> },
]

function UndoEntry({ tenant, item: { id, reason, undone } }: Row<Entry>) {
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

function BalanceEntries({ tenant }: { tenant: TenantDetails }) {
  return (
    <Section title="Balance entries" description="Entries are never changed. Undo adds a counter-entry.">
      <DataTable
        label="Balance entries"
        list={rowsOf(tenant, tenant.entries)}
        columns={entryColumns}
        rowKey={({ item }) => item.id}
        empty={<EmptyState title="No balance entries yet">Top-ups are listed here.</EmptyState>}
      />
    </Section>
  )
}

const changeColumns: readonly Column<Row<QuotaChange>>[] = [
  {
    header: 'Reason',
    width: 'wide',
    cell: ({ item }) => <span className="font-medium">{item.reason ?? 'none given'}</span>,
  },
  { header: 'Before', align: 'right', cell: ({ item }) => (item.before === null ? '–' : whole(item.before)) },
  { header: 'After', align: 'right', cell: ({ item }) => (item.after === null ? '–' : whole(item.after)) },
  { header: 'By', cell: ({ item }) => <ActorName actor={item.actor} /> },
  { header: 'When', align: 'right', cell: ({ item }) => <Time at={item.createdAt} as="relative" /> },
  { header: 'Undo', hidden: true, align: 'right', cell: (row) => <UndoQuotaChange {...row} /> },
]

function UndoQuotaChange({ tenant, item: { id, before, undoable } }: Row<QuotaChange>) {
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

function QuotaChanges({ tenant }: { tenant: TenantDetails }) {
  if (tenant.quotaChanges.length === 0) return null
  return (
    <Section title="Quota changes">
      <DataTable
        label="Quota changes"
        list={rowsOf(tenant, tenant.quotaChanges)}
        columns={changeColumns}
        rowKey={({ item }) => item.id}
        empty={null}
      />
    </Section>
  )
}
