import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { isFixed, useRange } from '../ui/form/period.ts'
import { FailurePanel } from '../ui/page/Failure.tsx'
import { Page } from '../ui/page/Page.tsx'
import { ExportLink } from '../ui/table/ExportLink.tsx'
import { VirtualTable } from '../ui/table/VirtualTable.tsx'
import { Chips } from './Chips.tsx'
import { columns, LAYOUT } from './columns.tsx'
import { End } from './End.tsx'
import { FilterSheet } from './FilterSheet.tsx'
import { LiveBar } from './LiveBar.tsx'
import { useDecisions } from './list.ts'
import { useLive } from './live.ts'
import { Nothing } from './Nothing.tsx'
import { SavedViews } from './SavedViews.tsx'
import { askedOf, type DecisionSearch, filtersOf, withoutFilters } from './search.ts'

const route = getRouteApi('/o/$tenant/decisions')

/** Empty pages in a row after which searching continues only on request. */
const PATIENCE = 10

/** All decisions of the tenant, filtered by the URL, with live updates. */
export function Decisions() {
  const { slug, name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = useRange(search)
  const asked = askedOf(search, range)
  const filters = filtersOf(search)
  const narrowed = Object.keys(filters).length > 0
  const fixed = isFixed(search)
  const on = search.live === true && !fixed

  const [paused, setPaused] = useState(false)
  const top = useRef<HTMLDivElement>(null)
  const away = useAway(top)
  const { list, rows, waiting, add, begin, show, overfull, searchedTo, inVain } = useDecisions(
    slug,
    asked,
    paused || away,
  )
  const live = useLive({ tenant: slug, filters, on }, { onStart: () => void begin(), onRows: add })
  useEffect(() => {
    if (!paused && !away) show()
  }, [paused, away, show])
  useEffect(() => {
    if (overfull && !away && !paused) void begin()
  }, [overfull, away, paused, begin])

  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = list
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const goesOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && inVain < PATIENCE

  const ask = (next: DecisionSearch) => void navigate({ search: next, resetScroll: false })
  const showNew = () => {
    if (overfull) void begin()
    else show()
    if (away) top.current?.scrollIntoView()
  }

  return (
    <Page
      title="Decisions"
      context={name}
      description="Every completed verification."
      actions={
        <>
          <SavedViews search={search} onAsk={ask} />
          <ExportLink
            name="decisions"
            query={{ tenant: slug, ...asked }}
            reason={rows?.length === 0 && !hasNextPage ? 'Nothing to export.' : undefined}
          />
        </>
      }
    >
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <PeriodPicker search={search} onChange={(period) => ask({ ...search, ...period })} />
          <FilterSheet filters={filters} onAsk={(next) => ask({ ...withoutFilters(search), ...next })} />
          <LiveBar
            on={on}
            state={live}
            paused={paused}
            reason={fixed ? 'Live updates need a period that ends now.' : undefined}
            onSwitch={(on) => {
              setPaused(false)
              ask({ ...search, live: on ? true : undefined })
            }}
            onPause={setPaused}
          />
        </div>
        <Chips filters={filters} onAsk={(next) => ask({ ...withoutFilters(search), ...next })} />
      </div>
      <div ref={top} className="scroll-mt-16 lg:scroll-mt-2">
        {rows === undefined && list.error !== null ? (
          <FailurePanel error={list.error} retrying={list.isFetching} onRetry={() => void list.refetch()} />
        ) : (
          <>
            {on && waiting > 0 && <NewRows waiting={waiting} overfull={overfull} onShow={showNew} />}
            {rows?.length === 0 && !hasNextPage ? (
              <Nothing narrowed={narrowed} live={on} onClear={() => ask(withoutFilters(search))} />
            ) : (
              <div className="rounded-panel border border-line bg-surface">
                <VirtualTable
                  label="Decisions"
                  rows={rows}
                  columns={columns}
                  layout={LAYOUT}
                  rowKey={({ id }) => id}
                  more={hasNextPage}
                  ready={goesOn}
                  onNear={more}
                />
                <End
                  list={list}
                  count={rows?.length}
                  searchedTo={hasNextPage ? searchedTo : null}
                  resting={inVain >= PATIENCE}
                  onMore={more}
                />
              </div>
            )}
          </>
        )}
      </div>
    </Page>
  )
}

function NewRows({ waiting, overfull, onShow }: { waiting: number; overfull: boolean; onShow: () => void }) {
  return (
    <div className="sticky top-26 z-20 flex h-0 justify-center lg:top-12">
      <button
        type="button"
        onClick={onShow}
        className="mt-1 h-8 rounded-full border border-brand bg-brand px-4 text-13 font-semibold text-on-brand shadow-float hover:bg-brand-ink"
      >
        {overfull ? 'Many new' : `${waiting} new`}
      </button>
    </div>
  )
}

/** Whether the page is scrolled past the top of the element. */
function useAway(element: React.RefObject<HTMLElement | null>): boolean {
  const [away, setAway] = useState(false)
  useEffect(() => {
    const look = () => setAway((element.current?.getBoundingClientRect().top ?? 0) < 0)
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [element])
  return away
}
