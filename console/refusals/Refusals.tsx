import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { X } from 'lucide-react'
import { useTenant } from '../frame/useTenant.ts'
import { RefusalCode } from '../traffic/TopRefusals.tsx'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/Copy.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ExportLink } from '../ui/ExportLink.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { PeriodPicker } from '../ui/PeriodPicker.tsx'
import { useRange } from '../ui/period.ts'
import { Time } from '../ui/Time.tsx'
import { Groups } from './Groups.tsx'

const route = getRouteApi('/o/$tenant/refusals')

export type Refusal = inferOutput<typeof trpc.refusals.list>['rows'][number]

const columns: readonly Column<Refusal>[] = [
  { header: 'Request', cell: ({ id }) => <CopyText text={id} name="request id" /> },
  { header: 'Code', cell: ({ code, field }) => <RefusalCode code={code} field={field} /> },
  { header: 'Endpoint', cell: ({ endpoint }) => <code className="font-mono text-12">{endpoint}</code> },
  { header: 'What it named', width: 'wide', cell: (row) => <Named {...row} /> },
  { header: 'When', align: 'right', cell: ({ at }) => <Time at={at} as="relative" /> },
]

/** What the API refused: by kind with what mends it, and one by one. */
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
      description="What the API refused, and what mends it. A refusal costs nothing and uses nothing up."
      actions={
        <PeriodPicker
          search={search}
          onChange={(chosen) => void navigate({ search: (now) => ({ ...now, ...chosen }) })}
        />
      }
    >
      {filters.length > 0 && (
        <ul aria-label="Narrowed by" className="flex flex-wrap gap-2">
          {filters.map(([filter, value]) => (
            <li key={filter}>
              <Button
                look="quiet"
                onClick={() => void navigate({ search: (now) => ({ ...now, [filter]: undefined }) })}
                aria-label={`Remove the filter ${filter}: ${value}`}
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
        title="One by one"
        description="Kept for 30 days. A flood is kept up to 30 of a kind in a minute, and counted whole above."
        actions={
          <ExportLink
            name="refusals"
            query={{ tenant: slug, ...range, ...narrowed }}
            reason={list.data?.pages[0]?.rows.length === 0 ? 'There is nothing to export.' : undefined}
          />
        }
      >
        <DataTable
          label="Refusals"
          list={list}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title={filters.length > 0 ? 'Nothing matches' : 'Nothing was refused'}>
              {filters.length > 0
                ? 'No refusal of this kind is on record in this time.'
                : 'When your backend or a page makes a mistake, it stands here within seconds.'}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}

/** What is known of the one request. */
function Named({ hostname, keyHint, intentId, site }: Refusal) {
  const parts = [
    site.name,
    hostname,
    keyHint !== null && `secret …${keyHint}`,
    intentId !== null && `intent ${intentId.slice(0, 8)}…`,
  ].filter(Boolean)
  return <span className="text-ink-2">{parts.join(' · ')}</span>
}
