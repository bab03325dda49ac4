import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { X } from 'lucide-react'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { RefusalCode } from '../traffic/TopRefusals.tsx'
import { change, compared, versus } from '../traffic/words.ts'
import { PAGED, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { type Range, useRange } from '../ui/form/period.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { ExportLink } from '../ui/table/Export.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { counted } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Time } from '../ui/text/Time.tsx'

const route = getRouteApi('/o/$tenant/refusals')

type Refusal = inferOutput<typeof trpc.refusals.list>['rows'][number]

const columns: readonly Column<Refusal>[] = [
  column('Request', ({ id }) => <CopyText text={id} name="request id" />),
  column('Code', ({ code, field }) => <RefusalCode code={code} field={field} />),
  column('Endpoint', ({ endpoint }) => <code className="font-mono text-12">{endpoint}</code>),
  column('Context', (row) => <Context {...row} />, { width: 'wide' }),
  column('When', ({ at }) => <Time at={at} as="relative" />, { align: 'right' }),
]

/** Refused requests: by type with cause and fix, and as a list. */
export function Refusals() {
  const { slug, name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = useRange(search)
  const { request, site, endpoint, code, field } = search
  const query = {
    ...(request && { request }),
    ...(site && { site }),
    ...(endpoint && { endpoint }),
    ...(code && { code }),
    ...(field && { field }),
  }
  const list = useInfiniteQuery(trpc.refusals.list.infiniteQueryOptions({ tenant: slug, ...range, ...query }, PAGED))
  const sites = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))
  const siteName = sites.data?.rows.find(({ id }) => id === site)?.name
  const filters = Object.entries({ request, site: site && (siteName ?? 'one site'), endpoint, code, field }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )

  return (
    <Page
      title="Refusals"
      context={name}
      description="API errors and how to fix them. Refused requests are never billed."
      actions={
        <PeriodPicker
          search={search}
          onChange={(chosen) => void navigate({ search: (now) => ({ ...now, ...chosen }) })}
        />
      }
    >
      {filters.length > 0 && (
        <ul aria-label="Filters" className="flex flex-wrap gap-2">
          {filters.map(([filter, value]) => (
            <li key={filter}>
              <Button
                look="quiet"
                onClick={() => void navigate({ search: (now) => ({ ...now, [filter]: undefined }) })}
                aria-label={`Remove filter ${filter}: ${value}`}
              >
                {filter}: <span className="font-mono text-12">{value}</span>
                <X size={12} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Types range={range} site={site} chosen={{ endpoint, code, field }} />
      <Section
        title="All requests"
        description="Kept for 30 days. At most 30 of a type are listed per minute; the counts above include all."
        actions={
          <ExportLink
            name="refusals"
            query={{ tenant: slug, ...range, ...query }}
            reason={list.data?.pages[0]?.rows.length === 0 ? 'Nothing to export.' : undefined}
          />
        }
      >
        <Table
          label="Refusals"
          list={list}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title={filters.length > 0 ? 'No matches' : 'No refused requests'}>
              {filters.length > 0
                ? 'No refused requests of this type in this period.'
                : 'Errors of your backend or your pages appear here within seconds.'}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}

/** Site, hostname, key and intent of a request, as far as known. */
function Context({ hostname, keyHint, intentId, site }: Refusal) {
  const parts = [
    site.name,
    hostname,
    keyHint !== null && `secret …${keyHint}`,
    intentId !== null && `intent ${intentId.slice(0, 8)}…`,
  ].filter(Boolean)
  return <span className="text-ink-2">{parts.join(' · ')}</span>
}

type Filter = { endpoint?: string | undefined; code?: string | undefined; field?: string | undefined }

/** Refusals of the period by type, with cause and fix, most frequent first. */
function Types({ range, site, chosen }: { range: Range; site: string | undefined; chosen: Filter }) {
  const { slug } = useTenant()
  const { data, error, isFetching, refetch } = useQuery(
    trpc.refusals.groups.queryOptions(
      { tenant: slug, ...range, ...(site && { site }) },
      { placeholderData: (shown) => shown },
    ),
  )
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
        <ul className="divide-y divide-line overflow-clip rounded-panel border border-line bg-surface text-13">
          {shown.map((group) => (
            <TypeRow key={`${group.endpoint} ${group.code} ${group.field}`} group={group} basis={versus(range)} />
          ))}
        </ul>
      ) : (
        <div aria-busy className="h-72 rounded-panel border border-line bg-surface p-4">
          <Skeleton width="long" />
        </div>
      )}
    </Section>
  )
}

type RefusalType = inferOutput<typeof trpc.refusals.groups>[number]

function TypeRow({ group, basis }: { group: RefusalType; basis: string }) {
  const { endpoint, code, field, n, before, cause, fix, docs, status } = group
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
          {counted(n, 'time')} at <code className="font-mono">{endpoint}</code> · {compared(change(n, before), basis)}
        </p>
      </div>
      <div className="min-w-0">
        <p>{cause}</p>
        <p className="mt-1 text-ink-2">
          {fix} <DocsLink page={docs}>Docs for {status}</DocsLink>
        </p>
      </div>
    </li>
  )
}
