import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { type RefusalFilters, refusalFilters } from '../../server/contract/filters.ts'
import { BACKEND_ENDPOINTS } from '../../server/contract/names.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useTenant } from '../frame/useTenant.ts'
import type { RefusalSearch } from '../routes/search.ts'
import { RefusalCode } from '../traffic/RefusalCode.tsx'
import { basisOf, change, compared, errorName } from '../traffic/words.ts'
import { PAGED, trpc } from '../trpc.ts'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { type Range, useRange } from '../ui/form/period.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState, NoMatches } from '../ui/table/EmptyState.tsx'
import { ExportLink } from '../ui/table/Export.tsx'
import { type Column, column, Table, timeColumn } from '../ui/table/Table.tsx'
import { counted, shortId } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Sentence } from '../ui/text/Snippet.tsx'
import { RefusalChips, RefusalFilterSheet, useRefusalTypes } from './Filters.tsx'
import { type Refusal, RefusalSheet } from './RefusalSheet.tsx'

const route = getRouteApi('/o/$tenant/refusals')

const columns: readonly Column<Refusal>[] = [
  column('Request', ({ id }) => <RequestLink id={id} />),
  column('Code', ({ code, field }) => <RefusalCode code={code} field={field} />),
  column('Endpoint', ({ endpoint }) => <code className="font-mono text-12">{endpoint}</code>),
  column('Context', (row) => <Context {...row} />, { width: 'wide' }),
  timeColumn('Time', ({ at }) => at),
]

/** Refused requests: by type with cause and fix, as a list, and one in a drawer. */
export function Refusals() {
  const { slug, name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = useRange(search)
  const filters = refusalFilters.parse(search)
  const filtered = Object.keys(filters).length > 0
  const query = { tenant: slug, ...range, ...filters }
  const types = useRefusalTypes(range, filters.site)
  const list = useInfiniteQuery(trpc.refusals.list.infiniteQueryOptions(query, PAGED))
  const rows = list.data?.pages.flatMap((page) => page.rows)
  // types are counted without these
  const ofFew = (filters.request ?? filters.reference ?? filters.hostname) !== undefined
  const setSearch = (next: RefusalSearch) => void navigate({ search: next, resetScroll: false })
  const setFilters = (next: RefusalFilters) =>
    setSearch({ period: search.period, from: search.from, to: search.to, ...next })

  return (
    <Page
      title="Refusals"
      context={name}
      description="API errors and how to fix them. Refused requests are never billed."
    >
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <PeriodPicker search={search} onChange={(period) => setSearch({ ...search, ...period })} />
          <RefusalFilterSheet
            range={range}
            filters={filters}
            hostnames={rows?.map(({ hostname }) => hostname)}
            onChange={setFilters}
          />
        </div>
        <RefusalChips filters={filters} onChange={setFilters} />
      </div>
      {!ofFew && <Types types={types} range={range} chosen={filters} />}
      <Section
        title="All requests"
        description={`Kept for 30 days. At most 30 of a type are listed per minute${ofFew || types.data?.length === 0 ? '' : '; the counts above include all'}.`}
        actions={
          <ExportLink name="refusals" query={query} reason={rows?.length === 0 ? 'Nothing to export.' : undefined} />
        }
      >
        <Table
          label="Refusals"
          list={list}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            filtered || list.hasNextPage ? (
              <NoMatches
                noun="refused request"
                searchOn={
                  list.hasNextPage
                    ? { busy: list.isFetchingNextPage, start: () => void list.fetchNextPage() }
                    : undefined
                }
                onClear={() => setFilters({})}
              />
            ) : (
              <EmptyState title="No refused requests">
                Errors of your backend or your pages appear here within seconds.
              </EmptyState>
            )
          }
        />
      </Section>
      <RefusalSheet
        id={search.refusal}
        range={range}
        rows={rows}
        onClose={() => setSearch({ ...search, refusal: undefined })}
      />
    </Page>
  )
}

function RequestLink({ id }: { id: string }) {
  return (
    <Link from="/o/$tenant/refusals" search={(search) => ({ ...search, refusal: id })} resetScroll={false}>
      <span className="font-mono text-12 whitespace-nowrap">
        <span className="sr-only">Request </span>
        {shortId(id)}
      </span>
    </Link>
  )
}

/** Site, hostname and key of a request, as far as known. */
function Context({ hostname, keyHint, site }: Refusal) {
  const parts = [site.name, hostname, keyHint !== null && `secret …${keyHint}`].filter(Boolean)
  return <span className="text-ink-2">{parts.join(' · ')}</span>
}

/** Refusals of the period by type, with cause and fix, most frequent first. */
function Types({
  types: { data, error, isFetching, refetch },
  range,
  chosen,
}: {
  types: ReturnType<typeof useRefusalTypes>
  range: Range
  chosen: RefusalFilters
}) {
  if (error && !data) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
  const shown = data?.filter(
    ({ endpoint, code, field }) =>
      (chosen.endpoint ?? endpoint) === endpoint &&
      (chosen.code ?? code) === code &&
      (chosen.field === undefined || chosen.field === field),
  )
  if (shown?.length === 0) return null
  return (
    <Section title="By type">
      {shown ? (
        <div className="grid gap-6">
          {SENDERS.map(({ title, sends }) => {
            const sent = shown.filter(sends)
            if (sent.length === 0) return null
            return (
              <div key={title} className="grid gap-2">
                <h3 className="text-13 text-ink-2">{title}</h3>
                <ul className="divide-y divide-line overflow-clip rounded-panel border border-line bg-surface text-13">
                  {sent.map((group) => (
                    <TypeRow
                      key={`${group.endpoint} ${group.code} ${group.field}`}
                      group={group}
                      basis={basisOf(range, group.comparable)}
                    />
                  ))}
                </ul>
              </div>
            )
          })}
        </div>
      ) : (
        <div aria-busy className="h-72 rounded-panel border border-line bg-surface p-4">
          <Skeleton width="long" />
        </div>
      )}
    </Section>
  )
}

type RefusalType = inferOutput<typeof trpc.refusals.groups>[number]

const isOfBackend = ({ endpoint }: RefusalType): boolean => (BACKEND_ENDPOINTS as readonly string[]).includes(endpoint)

/** Who made the requests. Only calls of the backend can be fixed in the merchant's code. */
const SENDERS = [
  { title: 'Calls of your backend', sends: isOfBackend },
  { title: 'Requests of visitors’ browsers, and of bots', sends: (type: RefusalType) => !isOfBackend(type) },
]

function TypeRow({ group, basis }: { group: RefusalType; basis: string | null }) {
  const { endpoint, code, field, n, before, cause, fix, docs } = group
  return (
    <li className="grid gap-x-6 gap-y-1 p-4 md:grid-cols-[minmax(0,2fr)_minmax(0,5fr)]">
      <div className="min-w-0">
        <p>
          <Link
            from="/o/$tenant/refusals"
            search={({ period, from, to, site }) => ({
              period,
              from,
              to,
              site,
              endpoint,
              code,
              ...(field !== null && { field }),
            })}
          >
            <RefusalCode code={code} field={field} />
          </Link>
        </p>
        <p className="mt-1 text-12 text-ink-2">
          {counted(n, 'time')} at <code className="font-mono">{endpoint}</code>
        </p>
        {basis !== null && <p className="text-12 text-ink-2">{compared(change(n, before), basis)}</p>}
      </div>
      <div className="min-w-0">
        <p>
          <Sentence text={cause} />
        </p>
        <p className="mt-1 text-ink-2">
          <Sentence text={fix} />{' '}
          <DocsLink page={docs}>
            Docs<span className="sr-only"> for {errorName(code, field)}</span>
          </DocsLink>
        </p>
      </div>
    </li>
  )
}
