import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { X } from 'lucide-react'
import { useTenant } from '../frame/useTenant.ts'
import { RefusalCode } from '../traffic/TopRefusals.tsx'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { useRange } from '../ui/form/period.ts'
import { Page, Section } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { ExportLink } from '../ui/table/ExportLink.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Time } from '../ui/text/Time.tsx'
import { Groups } from './Groups.tsx'

const route = getRouteApi('/o/$tenant/refusals')

export type Refusal = inferOutput<typeof trpc.refusals.list>['rows'][number]

const columns: readonly Column<Refusal>[] = [
  { header: 'Request', cell: ({ id }) => <CopyText text={id} name="request id" /> },
  { header: 'Code', cell: ({ code, field }) => <RefusalCode code={code} field={field} /> },
  { header: 'Endpoint', cell: ({ endpoint }) => <code className="font-mono text-12">{endpoint}</code> },
  { header: 'Context', width: 'wide', cell: (row) => <Named {...row} /> },
  { header: 'When', align: 'right', cell: ({ at }) => <Time at={at} as="relative" /> },
]

/** Refused requests: by type with cause and fix, and as a list. */
export function Refusals() {
  const { slug, name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = useRange(search)
  const { site, endpoint, code, field } = search
  const narrowed = {
    ...(site && { site }),
    ...(endpoint && { endpoint }),
    ...(code && { code }),
    ...(field && { field }),
  }
  const list = useInfiniteQuery(
    trpc.refusals.list.infiniteQueryOptions(
      { tenant: slug, ...range, ...narrowed },
      { getNextPageParam: ({ nextCursor }) => nextCursor },
    ),
  )
  const sites = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))
  const siteName = sites.data?.rows.find(({ id }) => id === site)?.name
  const filters = Object.entries({ site: site && (siteName ?? 'one site'), endpoint, code, field }).filter(
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
      <Groups range={range} site={site} chosen={{ endpoint, code, field }} />
      <Section
        title="All requests"
        description="Kept for 30 days. At most 30 of a type are listed per minute; the counts above include all."
        actions={
          <ExportLink
            name="refusals"
            query={{ tenant: slug, ...range, ...narrowed }}
            reason={list.data?.pages[0]?.rows.length === 0 ? 'Nothing to export.' : undefined}
          />
        }
      >
        <DataTable
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
function Named({ hostname, keyHint, intentId, site }: Refusal) {
  const parts = [
    site.name,
    hostname,
    keyHint !== null && `secret …${keyHint}`,
    intentId !== null && `intent ${intentId.slice(0, 8)}…`,
  ].filter(Boolean)
  return <span className="text-ink-2">{parts.join(' · ')}</span>
}
