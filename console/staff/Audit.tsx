import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Diff } from '../audit/Diff.tsx'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { DialogBody, Sheet } from '../ui/overlay/Dialog.tsx'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { AuditRow } from './api.ts'
import { ActorName, TenantLink } from './StaffParts.tsx'

const route = getRouteApi('/staff/leads/audit')

const FILTERS = { actor: 'Who', tenant: 'Tenant', action: 'Action' } as const
type Filters = { [Key in keyof typeof FILTERS]?: string | undefined }

const columns: readonly Column<AuditRow>[] = [
  column('Action', ({ id, action }) => (
    <Link from="/staff/audit" search={(search) => ({ ...search, event: id })} resetScroll={false}>
      <span className="font-mono text-12">{action}</span>
    </Link>
  )),
  column('Tenant', ({ tenant }) => <TenantLink tenant={tenant} />, { width: 'wide' }),
  column('Reason', ({ after }) => reasonOf(after)),
  column('Who', ({ actor }) => <ActorName actor={actor} />),
  column('When', ({ createdAt }) => <Time at={createdAt} as="relative" />, { align: 'right' }),
]

function reasonOf(after: unknown): string {
  const reason: unknown = typeof after === 'object' && after !== null ? Reflect.get(after, 'reason') : undefined
  return typeof reason === 'string' ? reason : '–'
}

/** What staff and operators did, in all tenants. */
export function Audit() {
  const { event, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(
    trpc.staff.audit.infiniteQueryOptions(filters, { getNextPageParam: ({ nextCursor }) => nextCursor }),
  )
  const rows = list.data?.pages.flatMap((page) => page.rows)
  return (
    <Page
      title="Audit log"
      context="Staff"
      description="What staff and operators changed, searched and read, in all tenants."
    >
      <FilterForm
        key={JSON.stringify(filters)}
        filters={filters}
        onSearch={(next) => void navigate({ search: next })}
      />
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
      <Sheet
        open={event !== undefined}
        onClose={() => void navigate({ search: filters, resetScroll: false })}
        title={rows?.find(({ id }) => id === event)?.action ?? 'Event'}
      >
        <DialogBody>
          <Details row={rows?.find(({ id }) => id === event)} />
        </DialogBody>
      </Sheet>
    </Page>
  )
}

function FilterForm({ filters, onSearch }: { filters: Filters; onSearch: (next: Filters) => void }) {
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
                return typeof value === 'string' && value.trim() !== '' ? [[key, value.trim()]] : []
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
            defaultValue={filters[key] ?? ''}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            className={`${INPUT} max-w-56`}
          />
        ))}
        <Button type="submit" size="field">
          Search
        </Button>
      </form>
    </search>
  )
}

function Details({ row }: { row: AuditRow | undefined }) {
  if (!row) return <p className="text-13 text-ink-2">This event is further down. Load more first.</p>
  const { id, actor, tenant, target, before, after, createdAt } = row
  return (
    <>
      <Facts>
        <Fact name="When">
          <Time at={createdAt} />
        </Fact>
        <Fact name="Who">
          <ActorName actor={actor} />
          {actor.email !== null && <span className="block text-12 text-ink-2">{actor.email}</span>}
        </Fact>
        <Fact name="Tenant">
          <TenantLink tenant={tenant} />
        </Fact>
        <Fact name="Target">
          <CopyText text={target} name="target" />
        </Fact>
        <Fact name="Event">
          <CopyText text={id} name="event id" />
        </Fact>
      </Facts>
      <section aria-label="What changed">
        <h3 className="mb-2 text-13 font-semibold">What changed</h3>
        <Diff before={before} after={after} />
      </section>
    </>
  )
}
