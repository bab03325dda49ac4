import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { OUTCOME_TONES, OUTCOMES } from '../feedback/words.ts'
import { useTenant } from '../frame/useTenant.ts'
import type { DecisionSearch } from '../routes/search.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { isFixed, useRange } from '../ui/form/period.ts'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState, NoMatches } from '../ui/table/EmptyState.tsx'
import { ExportLink } from '../ui/table/Export.tsx'
import { type Column, column, Table, timeColumn } from '../ui/table/Table.tsx'
import { VirtualRows } from '../ui/table/VirtualRows.tsx'
import { CopyLink } from '../ui/text/CopyButton.tsx'
import { Outcome, Pill } from '../ui/text/Pill.tsx'
import { ArchiveNotice } from './ArchiveNotice.tsx'
import { type DecisionRow, filtersOf, queryOf, useDecisions, withoutFilters } from './api.ts'
import { DecisionLink } from './DecisionLink.tsx'
import { DecisionChips, DecisionFilterSheet } from './Filters.tsx'
import { ListEnd } from './ListEnd.tsx'
import { LiveBar, useLive } from './LiveUpdates.tsx'
import { duration } from './words.ts'

const route = getRouteApi('/o/$tenant/decisions')

/** The number of empty pages in a row after which only a click continues the search. */
const MAX_EMPTY_PAGES = 10

/** All decisions of the tenant, filtered by the URL, with live updates. */
export function Decisions() {
  const { slug, name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = useRange(search)
  const query = queryOf(search, range)
  const filters = filtersOf(search)
  const filtered = Object.keys(filters).length > 0
  const fixed = isFixed(search)
  const on = search.live === true && !fixed

  const [paused, setPaused] = useState(false)
  const top = useRef<HTMLDivElement>(null)
  const scrolled = useScrolledPast(top)
  const { list, rows, waiting, addRows, reload, showWaiting, tooMany, searchedTo, emptyPages } = useDecisions(
    slug,
    query,
    paused || scrolled,
  )
  const live = useLive({ tenant: slug, filters, on }, { onStart: () => void reload(), onRows: addRows })
  useEffect(() => {
    if (!paused && !scrolled) showWaiting()
  }, [paused, scrolled, showWaiting])
  useEffect(() => {
    if (tooMany && !scrolled && !paused) void reload()
  }, [tooMany, scrolled, paused, reload])

  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = list
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const canLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && emptyPages < MAX_EMPTY_PAGES

  const setSearch = (next: DecisionSearch) => void navigate({ search: next, resetScroll: false })
  const showNew = () => {
    if (tooMany) void reload()
    else showWaiting()
    if (scrolled) top.current?.scrollIntoView()
  }

  return (
    <Page
      title="Decisions"
      context={name}
      description="Every completed verification. Those marked Test were tried in the console: they are not counted or charged."
      actions={
        <>
          <CopyLink />
          <ExportLink
            name="decisions"
            query={{ tenant: slug, ...query }}
            reason={rows?.length === 0 && !hasNextPage ? 'Nothing to export.' : undefined}
          />
        </>
      }
    >
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <PeriodPicker search={search} onChange={(period) => setSearch({ ...search, ...period })} />
          <DecisionFilterSheet
            filters={filters}
            rows={rows}
            onChange={(next) => setSearch({ ...withoutFilters(search), ...next })}
          />
          <LiveBar
            on={on}
            state={live}
            paused={paused}
            reason={fixed ? 'Live updates need a period that ends now.' : undefined}
            onToggle={(on) => {
              setPaused(false)
              setSearch({ ...search, live: on ? true : undefined })
            }}
            onPause={setPaused}
          />
        </div>
        <DecisionChips filters={filters} onChange={(next) => setSearch({ ...withoutFilters(search), ...next })} />
      </div>
      <ArchiveNotice from={range.from} />
      <div ref={top} className="scroll-mt-16 lg:scroll-mt-2">
        {on && waiting > 0 && <NewRows waiting={waiting} tooMany={tooMany} onShow={showNew} />}
        <Table
          label="Decisions"
          list={{ ...list, data: rows }}
          columns={columns}
          rowKey={idOf}
          empty={
            hasNextPage ? undefined : (
              <NoDecisions filtered={filtered} live={on} onClear={() => setSearch(withoutFilters(search))} />
            )
          }
          long={{
            Rows: VirtualRows,
            onNearEnd: canLoad ? loadMore : undefined,
            end: (
              <ListEnd
                list={list}
                count={rows?.length}
                searchedTo={hasNextPage ? searchedTo : null}
                stopped={emptyPages >= MAX_EMPTY_PAGES}
                onMore={loadMore}
              />
            ),
          }}
        />
      </div>
    </Page>
  )
}

function NewRows({ waiting, tooMany, onShow }: { waiting: number; tooMany: boolean; onShow: () => void }) {
  return (
    <div className="sticky top-26 z-20 flex h-0 justify-center lg:top-12">
      <button
        type="button"
        onClick={onShow}
        className="mt-1 h-8 rounded-full border border-brand bg-brand px-4 text-13 font-semibold text-on-brand shadow-float hover:bg-brand-ink"
      >
        {tooMany ? 'Many new' : `${waiting} new`}
      </button>
    </div>
  )
}

/** Whether the page is scrolled past the top of the element. */
function useScrolledPast(element: React.RefObject<HTMLElement | null>): boolean {
  const [past, setPast] = useState(false)
  useEffect(() => {
    const check = () => setPast((element.current?.getBoundingClientRect().top ?? 0) < 0)
    addEventListener('scroll', check, { passive: true })
    return () => removeEventListener('scroll', check)
  }, [element])
  return past
}

const idOf = ({ id }: DecisionRow) => id

const columns: readonly Column<DecisionRow>[] = [
  column('Decision', ({ decisionId }) => <DecisionLink id={decisionId} />, { size: '7.25rem' }),
  timeColumn('Completed', ({ redeemedAt }) => redeemedAt, { size: '12rem' }),
  column('Site', ({ site }) => site.name ?? <span className="text-ink-2">Deleted</span>),
  column('Action', ({ action, chargedTo }) =>
    chargedTo === 'test' ? (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        Playground <Pill tone="neutral">Test</Pill>
      </span>
    ) : (
      action
    ),
  ),
  column('Hostname', ({ hostname }) => hostname, { from: 'xl', size: '16%' }),
  column(
    'Feedback',
    ({ outcome }) =>
      outcome === null ? <None word="No feedback" /> : <Outcome is={OUTCOME_TONES[outcome]} word={OUTCOMES[outcome]} />,
    { size: '9.5rem' },
  ),
  column(
    'Solved in',
    ({ solveMs }) => (solveMs === null ? <span className="text-ink-2">Exempted</span> : duration(solveMs)),
    { align: 'right', size: '6rem' },
  ),
  column(
    'Device',
    ({ device }) => (device === null ? <None word="Unknown" /> : device === 'mobile' ? 'Mobile' : 'Desktop'),
    { from: 'lg', size: '5.75rem' },
  ),
]

/** A dash, with words for screen readers. Cards leave the value out. */
function None({ word }: { word: string }) {
  return (
    <>
      <span aria-hidden data-none className="text-ink-3">
        –
      </span>
      <span className="sr-only">{word}</span>
    </>
  )
}

/** Shown instead of an empty list. */
function NoDecisions({ filtered, live, onClear }: { filtered: boolean; live: boolean; onClear: () => void }) {
  const { slug } = useTenant()
  if (filtered)
    return (
      <NoMatches noun="decision" onClear={onClear}>
        {live && 'New matches will appear here.'}
      </NoMatches>
    )
  return (
    <EmptyState
      title="No decisions in this period"
      action={
        <PageLink to="/o/$tenant/sites" params={{ tenant: slug }}>
          Go to your sites
        </PageLink>
      }
    >
      A decision is created when your backend redeems a visitor’s token at{' '}
      <code className="font-mono">/siteverify</code>. The Integrate page of a site shows how.{' '}
      {live && 'The first one will appear here.'}
    </EmptyState>
  )
}
