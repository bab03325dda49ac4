import { ActorName } from '../audit/ActorName.tsx'
import { Meter } from '../ui/chart/Meter.tsx'
import { Button } from '../ui/form/Button.tsx'
import { Panel, Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { AdjustBalance, AdjustQuota, useUndoBalance, useUndoQuota } from './Adjust.tsx'
import type { TenantDetails } from './api.ts'

type Entry = TenantDetails['entries'][number]
type QuotaChange = TenantDetails['quotaChanges'][number]

/** A row with its tenant, which the undo button needs. */
type Row<Item> = { tenant: TenantDetails; item: Item }

const rowsOf = <Item,>(tenant: TenantDetails, items: Item[]) => ({ data: items.map((item) => ({ tenant, item })) })

const signed = (units: number) => (units > 0 ? `+${whole(units)}` : whole(units).replace('-', '−'))

/** The tenant's quota and balance, and how they were changed. */
export function Plan({ tenant }: { tenant: TenantDetails }) {
  const { forecast } = tenant
  const { used, included, balance } = tenant.health
  return (
    <>
      <Panel
        title="Units"
        description={`${whole(tenant.monthlyQuota)} units a month, and a balance of ${whole(balance)}.`}
        actions={
          <>
            <AdjustQuota tenant={tenant} />
            <AdjustBalance tenant={tenant} />
          </>
        }
      >
        <Meter
          label={`${whole(used)} of ${whole(included)} units of this month’s quota used`}
          value={used}
          max={included}
        />
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
  column('Reason', ({ item }) => <span className="font-medium">{item.reason}</span>, { width: 'wide' }),
  column('Units', ({ item }) => signed(item.units), { align: 'right' }),
  column('By', ({ item }) => <ActorName actor={item.actor} />),
  column('When', ({ item }) => <Time at={item.createdAt} as="relative" />, { align: 'right' }),
  column('Undo', (row) => <UndoEntry {...row} />, { hidden: true, align: 'right' }),
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
      <Table
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
  column('Reason', ({ item }) => <span className="font-medium">{item.reason ?? 'none given'}</span>, { width: 'wide' }),
  column('Before', ({ item }) => (item.before === null ? 'Unknown' : whole(item.before)), { align: 'right' }),
  column('After', ({ item }) => (item.after === null ? 'Unknown' : whole(item.after)), { align: 'right' }),
  column('By', ({ item }) => <ActorName actor={item.actor} />),
  column('When', ({ item }) => <Time at={item.createdAt} as="relative" />, { align: 'right' }),
  column('Undo', (row) => <UndoQuotaChange {...row} />, { hidden: true, align: 'right' }),
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
      <Table
        label="Quota changes"
        list={rowsOf(tenant, tenant.quotaChanges)}
        columns={changeColumns}
        rowKey={({ item }) => item.id}
        empty={null}
      />
    </Section>
  )
}
