import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { OUTCOMES, TONES, tailOf } from '../decisions/words.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import type { Range } from '../ui/form/period.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { ExportLink } from '../ui/table/ExportLink.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Outcome } from '../ui/text/Outcome.tsx'
import { Time } from '../ui/text/Time.tsx'
import { Filters } from './Filters.tsx'
import { NoReports } from './NoReports.tsx'
import type { Rates } from './useRates.ts'

const route = getRouteApi('/o/$tenant/feedback')

export type Report = inferOutput<typeof trpc.feedback.list>['rows'][number]

const columns: readonly Column<Report>[] = [
  { header: 'Decision', cell: ({ decisionId }) => <DecisionLink id={decisionId} /> },
  {
    header: 'Outcome',
    cell: ({ outcome }) => (
      <span className="whitespace-nowrap">
        <Outcome is={TONES[outcome]} word={OUTCOMES[outcome]} />
      </span>
    ),
  },
  { header: 'Business type', cell: ({ businessType }) => businessType },
  { header: 'Action', cell: ({ action }) => action },
  { header: 'Site', from: 'xl', cell: ({ site }) => site.name ?? <span className="text-ink-2">Deleted</span> },
  { header: 'Occurred', from: 'xl', cell: ({ occurredAt }) => <Time at={occurredAt} as="relative" /> },
  { header: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} as="relative" /> },
  { header: 'Revision', align: 'right', cell: (report) => <HistoryLink {...report} /> },
]

/** The latest report of each decision, with a link to its history. */
export function Reports({ range, rates }: { range: Range; rates: Rates | undefined }) {
  const { slug } = useTenant()
  const { site, outcome, type, action } = route.useSearch()
  const navigate = route.useNavigate()
  const asked = {
    tenant: slug,
    ...range,
    ...(site && { site }),
    ...(outcome && { outcome }),
    ...(type && { type }),
    ...(action && { action }),
  }
  const list = useInfiniteQuery(
    trpc.feedback.list.infiniteQueryOptions(asked, { getNextPageParam: ({ nextCursor }) => nextCursor }),
  )
  const empty = list.data?.pages.every(({ rows }) => rows.length === 0) === true && !list.hasNextPage
  return (
    <div id="reports" className="scroll-mt-16 lg:scroll-mt-4">
      <Section
        title="Reports"
        description="Received in this period, newest first. A correction replaces the report that it corrects."
        actions={<ExportLink name="feedback" query={asked} reason={empty ? 'Nothing to export.' : undefined} />}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <Filters rates={rates} />
          <DataTable
            label="Reports"
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            empty={
              <NoReports
                narrowed={(site ?? outcome ?? type ?? action) !== undefined}
                further={
                  list.hasNextPage ? { busy: list.isFetchingNextPage, go: () => void list.fetchNextPage() } : undefined
                }
                onClear={() =>
                  void navigate({ search: ({ period, from, to }) => ({ period, from, to }), resetScroll: false })
                }
              />
            }
          />
        </div>
      </Section>
    </div>
  )
}

function DecisionLink({ id }: { id: string }) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/decisions/$id" params={{ tenant: slug, id }}>
      <span className="font-mono text-12 whitespace-nowrap">
        <span className="sr-only">Decision </span>
        {tailOf(id)}
      </span>
    </Link>
  )
}

function HistoryLink({ id, decisionId, revision }: Report) {
  return (
    <Link
      from="/o/$tenant/feedback"
      search={(search) => ({ ...search, report: id })}
      resetScroll={false}
      aria-label={`Revision ${revision}, history of ${tailOf(decisionId)}`}
    >
      {revision}
    </Link>
  )
}
