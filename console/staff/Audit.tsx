import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StaffAuditFilters, StaffAuditKind } from '../../server/contract/filters.ts'
import { ActorName } from '../audit/ActorName.tsx'
import { EventSheet } from '../audit/EventSheet.tsx'
import { ACTION_LABELS, codesOf } from '../audit/words.ts'
import { PAGED, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Fact } from '../ui/table/Facts.tsx'
import { type Column, column, Table, timeColumn } from '../ui/table/Table.tsx'
import { Link } from '../ui/text/Link.tsx'
import type { AuditRow } from './api.ts'
import { TenantLink } from './StaffParts.tsx'

const route = getRouteApi('/staff/leads/audit')

const FILTERS = { actor: 'Who', tenant: 'Tenant', action: 'Action' } as const satisfies Record<
  Exclude<keyof StaffAuditFilters, 'kind'>,
  string
>

const KINDS = {
  changes: 'Changes',
  units: 'Units',
  tenants: 'Tenants',
  accounts: 'Accounts and sign-ins',
  data: 'Personal data and exports',
  reads: 'Views and searches',
  all: 'Everything',
} as const satisfies Record<StaffAuditKind, string>

const columns: readonly Column<AuditRow>[] = [
  column('Action', ({ id, action }) => (
    <Link from="/staff/audit" search={(search) => ({ ...search, event: id })} resetScroll={false}>
      <span className="whitespace-nowrap">{ACTION_LABELS[action] ?? action}</span>
    </Link>
  )),
  column('Tenant', ({ tenant }) => <TenantLink tenant={tenant} />),
  column('Reason', ({ after }) => reasonOf(after), { width: 'wide' }),
  column('Who', ({ actor }) => <ActorName actor={actor} />),
  timeColumn('Time', ({ createdAt }) => createdAt),
]

/** Why it was done, or what was answered. Views and searches ask for no reason. */
function reasonOf(after: unknown): string {
  const text = (field: string): string | undefined => {
    const value: unknown = typeof after === 'object' && after !== null ? Reflect.get(after, field) : undefined
    return typeof value === 'string' ? value : undefined
  }
  return text('reason') ?? text('answer') ?? '–'
}

/** What staff and operators did, in all tenants. */
export function Audit() {
  const { event: id, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const query = { ...filters, ...(filters.action && { action: codesOf(filters.action) }) }
  const list = useInfiniteQuery(trpc.staff.audit.infiniteQueryOptions(query, PAGED))
  const event = list.data?.pages.flatMap((page) => page.rows).find((row) => row.id === id)
  return (
    <Page
      title="Audit log"
      context="Staff"
      description="What staff and operators changed, searched and read, in all tenants."
    >
      <div className="flex flex-wrap gap-2">
        <Select
          label="Kind"
          value={filters.kind ?? 'changes'}
          options={KINDS}
          onChange={(kind) => void navigate({ search: { ...filters, kind: kind === 'changes' ? undefined : kind } })}
        />
        <FilterForm
          key={JSON.stringify(filters)}
          filters={filters}
          onSearch={(next) => void navigate({ search: { kind: filters.kind, ...next } })}
        />
      </div>
      <Table
        label="Audit log"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title={list.hasNextPage ? 'No matches among the latest' : 'No matching events'}
            action={
              list.hasNextPage ? (
                <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  Load more
                </Button>
              ) : (
                <Button onClick={() => void navigate({ search: {} })}>Show all</Button>
              )
            }
          >
            Parts of words are enough.
          </EmptyState>
        }
      />
      <EventSheet
        open={id !== undefined}
        event={event}
        title={event ? (ACTION_LABELS[event.action] ?? event.action) : 'Event'}
        facts={
          <Fact name="Tenant">
            <TenantLink tenant={event?.tenant ?? null} />
          </Fact>
        }
        missing={<p className="text-13 text-ink-2">This event is further down. Load more first.</p>}
        onClose={() => void navigate({ search: filters, resetScroll: false })}
      />
    </Page>
  )
}

function FilterForm({
  filters,
  onSearch,
}: {
  filters: StaffAuditFilters
  onSearch: (next: StaffAuditFilters) => void
}) {
  return (
    <search>
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const values = new FormData(event.currentTarget)
          onSearch(
            Object.fromEntries(
              Object.keys(FILTERS).flatMap((key) => {
                const value = values.get(key)
                if (typeof value !== 'string' || value.trim() === '') return []
                return [[key, value.trim()]]
              }),
            ),
          )
        }}
      >
        {(['actor', 'tenant', 'action'] as const).map((key) => (
          <input
            key={key}
            name={key}
            type="text"
            aria-label={FILTERS[key]}
            placeholder={FILTERS[key]}
            list={key === 'action' ? 'actions' : undefined}
            defaultValue={filters[key] ?? ''}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            className={`${INPUT} max-w-56`}
          />
        ))}
        <datalist id="actions">
          {[...new Set(Object.values(ACTION_LABELS))].map((label) => (
            <option key={label} value={label}>
              {label}
            </option>
          ))}
        </datalist>
        <Button type="submit" size="field">
          Search
        </Button>
      </form>
    </search>
  )
}
