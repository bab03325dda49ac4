import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { DecisionLink } from '../decisions/DecisionLink.tsx'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useTenant } from '../frame/useTenant.ts'
import type { FeedbackSearch } from '../routes/search.ts'
import { PAGED, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import type { Range } from '../ui/form/period.ts'
import { Select } from '../ui/form/Select.tsx'
import { Section } from '../ui/page/Page.tsx'
import { EmptyState, NoMatches } from '../ui/table/EmptyState.tsx'
import { ExportLink } from '../ui/table/Export.tsx'
import { type Column, column, Table, timeColumn } from '../ui/table/Table.tsx'
import { shortId } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Outcome } from '../ui/text/Pill.tsx'
import { Code, Snippet } from '../ui/text/Snippet.tsx'
import type { Rates, Report } from './api.ts'
import { BusinessType, Label } from './BusinessType.tsx'
import { businessWords, OUTCOME_TONES, OUTCOMES } from './words.ts'

const route = getRouteApi('/o/$tenant/feedback')

const columns: readonly Column<Report>[] = [
  column('Decision', ({ decisionId }) => <DecisionLink id={decisionId} />),
  column('Outcome', (report) => (
    <span className="whitespace-nowrap">
      <Outcome is={OUTCOME_TONES[report.outcome]} word={OUTCOMES[report.outcome]} />{' '}
      {report.revision > 1 && <HistoryLink {...report} />}
    </span>
  )),
  column('Business type', ({ businessType }) => <BusinessType is={businessType} />),
  column('Action', ({ action }) => <Label is={action} />),
  column('Site', ({ site }) => site.name ?? <span className="text-ink-2">Deleted</span>, { from: 'xl' }),
  timeColumn('Occurred', ({ occurredAt }) => occurredAt, { from: '2xl' }),
  timeColumn('Received', ({ receivedAt }) => receivedAt),
]

/** The latest report of each decision. */
export function Reports({ range, rates }: { range: Range; rates: Rates | undefined }) {
  const { slug } = useTenant()
  const { site, outcome, type, action } = route.useSearch()
  const navigate = route.useNavigate()
  const query = {
    tenant: slug,
    ...range,
    ...(site && { site }),
    ...(outcome && { outcome }),
    ...(type && { type }),
    ...(action && { action }),
  }
  const list = useInfiniteQuery(trpc.feedback.list.infiniteQueryOptions(query, PAGED))
  const filtered = (site ?? outcome ?? type ?? action) !== undefined
  const empty = list.data?.pages.every(({ rows }) => rows.length === 0) === true && !list.hasNextPage
  return (
    <div id="reports" className="scroll-mt-16 lg:scroll-mt-4">
      <Section
        title="Reports"
        description="Received in this period, newest first; the figures above count by the time of the verification. A correction replaces the report that it corrects."
        actions={<ExportLink name="feedback" query={query} reason={empty ? 'Nothing to export.' : undefined} />}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <Filters rates={rates} />
          <Table
            label="Reports"
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            empty={
              list.hasNextPage || filtered ? (
                <NoMatches
                  noun="report"
                  searchOn={
                    list.hasNextPage
                      ? { busy: list.isFetchingNextPage, start: () => void list.fetchNextPage() }
                      : undefined
                  }
                  onClear={() =>
                    void navigate({ search: ({ period, from, to }) => ({ period, from, to }), resetScroll: false })
                  }
                />
              ) : (
                <NoReports />
              )
            }
          />
        </div>
      </Section>
    </div>
  )
}

/** A link to the history of a report that corrected another. */
function HistoryLink({ id, decisionId }: Report) {
  return (
    <Link from="/o/$tenant/feedback" search={(search) => ({ ...search, report: id })} resetScroll={false}>
      corrected<span className="sr-only"> history of {shortId(decisionId)}</span>
    </Link>
  )
}

/** The filters of the reports. They offer the types and actions that were reported in the period. */
function Filters({ rates }: { rates: Rates | undefined }) {
  const { outcome, type, action } = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (part: Pick<FeedbackSearch, 'outcome' | 'type' | 'action'>) =>
    void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        label="Outcome"
        value={outcome ?? 'any'}
        onChange={(chosen) => setSearch({ outcome: chosen === 'any' ? undefined : chosen })}
        options={{ any: 'Any outcome', ...OUTCOMES }}
      />
      <Select
        label="Business type"
        value={type ?? ''}
        onChange={(chosen) => setSearch({ type: chosen === '' ? undefined : chosen })}
        options={{ '': 'Any business type', ...optionsOf(type, rates?.byType, businessWords) }}
      />
      <Select
        label="Action"
        value={action ?? ''}
        onChange={(chosen) => setSearch({ action: chosen === '' ? undefined : chosen })}
        options={{ '': 'Any action', ...optionsOf(action, rates?.byAction) }}
      />
      {(outcome ?? type ?? action) !== undefined && (
        <Button look="quiet" onClick={() => setSearch({ outcome: undefined, type: undefined, action: undefined })}>
          Clear
        </Button>
      )}
    </div>
  )
}

/** The options of the period, and the chosen one even if it is not among them. */
const optionsOf = (
  chosen: string | undefined,
  reported: Rates['byType'] | undefined,
  words: (name: string) => string | undefined = () => undefined,
): Record<string, string> =>
  Object.fromEntries(
    [...(reported ?? []).flatMap(({ name }) => (name === null ? [] : [name])), ...(chosen ? [chosen] : [])].map(
      (name) => [name, words(name) ?? name],
    ),
  )

const SNIPPET = `POST /feedback
{"decision_id": "dec_…", "event_id": "<a UUID of yours>", "outcome": "confirmed_abuse",
 "business_type": "chargeback", "occurred_at": 1700000000}`

function NoReports() {
  return (
    <EmptyState title="No reports in this period" snippet={<Snippet name="Report feedback" text={SNIPPET} />}>
      Report how a decision turned out within 7 days, with the <Code>decision_id</Code> that you stored. This page then
      shows what slips through, and where. <DocsLink page="feedback">How feedback works</DocsLink>
    </EmptyState>
  )
}
