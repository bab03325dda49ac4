import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Skeleton } from '../page/Page.tsx'

export type VirtualColumn<Row> = {
  /** The heading. */
  header: string
  cell: (row: Row) => ReactNode
  /** For numbers. */
  align?: 'right'
  /** Hides the column in tables narrower than this, and in cards. */
  from?: 'lg' | 'xl'
}

/** Rows rendered outside the window, for fast scrolling and the Tab key. */
const OVERSCAN = 8
/** More rows are loaded when this many are left below the window. */
const NEAR_END = 25

/** The height of a row in a table (`md:h-9.25` below), and about that of a card. */
const ROW_REM = 2.3125
const CARD_PIXELS = 124

const FROM = { lg: 'hidden lg:block', xl: 'hidden xl:block' } as const

type Props<Row> = {
  /** The accessible name. */
  label: string
  /** Undefined while the first rows load. */
  rows: readonly Row[] | undefined
  /**
   * The first one identifies the row; its link covers the whole row. The second one is beside it in a card. The same object in
   * every render, or all rows are drawn again with every scroll.
   */
  columns: readonly VirtualColumn<Row>[]
  /** Classes with the widths of the columns: `md:grid-cols-[…] lg:grid-cols-[…]`. */
  layout: string
  /** The same function in every render, or the places of all rows are computed again with every scroll. */
  rowKey: (row: Row) => string
  /** Whether there are rows that are not loaded yet. */
  hasMore: boolean
  /** Whether they may be loaded now. */
  canLoad: boolean
  /** Loads more rows. Called near the end of the list while `canLoad`. */
  onNearEnd: () => void
}

/**
 * A table of any length that renders only the rows in the window. It scrolls with the page. On narrow screens each row is
 * a card. Row numbers and counts are set for screen readers, which see only the rendered rows.
 */
export function VirtualTable<Row>({ label, rows, columns, layout, rowKey, hasMore, canLoad, onNearEnd }: Props<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const cards = useNarrow()
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  const margin = useOffsetTop(body)
  // the row with the focus stays rendered when it is scrolled out of the window
  const focused = useFocusedRow(body)
  const count = rows?.length ?? 0
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows?.[index]
      return row === undefined ? index : rowKey(row)
    },
    [rows, rowKey],
  )
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => (cards ? CARD_PIXELS : ROW_REM * rem),
    overscan: OVERSCAN,
    scrollMargin: margin,
    getItemKey,
    rangeExtractor: (range) => {
      const rendered = defaultRangeExtractor(range)
      return focused === null || focused >= count || rendered.includes(focused)
        ? rendered
        : [...rendered, focused].toSorted((a, b) => a - b)
    },
  })
  // the heights of cards are not those of rows
  useLayoutEffect(() => virtual.measure(), [virtual, cards])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const nearEnd = rows !== undefined && canLoad && last >= count - NEAR_END
  useEffect(() => {
    if (nearEnd) onNearEnd()
  }, [nearEnd, onNearEnd])

  return (
    <table
      aria-label={label}
      aria-busy={rows === undefined}
      aria-colcount={columns.length}
      aria-rowcount={hasMore || rows === undefined ? -1 : count + 1}
      className="block text-13"
    >
      <thead className="sr-only md:not-sr-only md:sticky! md:top-14 md:z-10 md:block md:rounded-t-panel md:bg-surface lg:top-0">
        <tr aria-rowindex={1} className={`grid h-10 items-center gap-x-4 border-b border-line px-4 ${layout}`}>
          {columns.map(({ header, align, from }) => (
            <th
              key={header}
              scope="col"
              className={`text-12 font-medium whitespace-nowrap text-ink-2 ${from ? FROM[from] : ''} ${align === 'right' ? 'text-right' : 'text-left'}`}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} className="relative block" style={{ height: rows && virtual.getTotalSize() }}>
        {rows === undefined
          ? [1, 2, 3, 4, 5, 6].map((n) => (
              <tr key={n} className={`relative ${ROW} ${layout}`}>
                <Cells row={undefined} columns={columns} cards={cards} />
              </tr>
            ))
          : items.map(({ index, key, start }) => (
              <DrawnRow
                key={key}
                cards={cards}
                // rows of a table have one height
                measure={cards ? virtual.measureElement : undefined}
                index={index}
                top={start - margin}
                row={rows[index]}
                columns={columns}
                layout={layout}
              />
            ))}
      </tbody>
    </table>
  )
}

const ROW =
  'grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3 md:h-9.25 md:py-0'

type DrawnProps<Row> = {
  cards: boolean
  measure: ((row: HTMLElement | null) => void) | undefined
  index: number
  /** Pixels below the top of the list. */
  top: number
  row: Row | undefined
  columns: readonly VirtualColumn<Row>[]
  layout: string
}

function drawRow<Row>({ cards, measure, index, top, row, columns, layout }: DrawnProps<Row>) {
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={`absolute inset-x-0 hover:bg-sunken/60 ${ROW} ${layout}`}
      // not by a transform: with one for each row, frames are late while the list scrolls fast
      style={{ top }}
    >
      <Cells row={row} columns={columns} cards={cards} />
    </tr>
  )
}

/** Drawn once, not with every scroll. */
const DrawnRow = memo(drawRow) as typeof drawRow

type CellsProps<Row> = { row: Row | undefined; columns: readonly VirtualColumn<Row>[]; cards: boolean }

const COVERING_LINK = '[&_a]:after:absolute [&_a]:after:inset-0 [&_a]:after:content-[""]'

function Cells<Row>({ row, columns, cards }: CellsProps<Row>) {
  return columns.map(({ header, cell, align, from }, at) => {
    const content = row === undefined ? <Skeleton width="short" /> : cell(row)
    const link = at === 0 ? COVERING_LINK : ''
    // each element costs time while a long table scrolls, so its cells have no more of them than they need
    if (!cards)
      return (
        <td
          key={header}
          className={`truncate ${link} ${from ? FROM[from] : ''} ${align === 'right' ? 'text-right' : ''}`}
        >
          {content}
        </td>
      )
    if (from) return null
    return (
      <td key={header} className={`flex min-w-0 items-baseline gap-2 ${at === 1 ? 'justify-end' : ''}`}>
        {at > 1 && (
          <span aria-hidden className="shrink-0 text-12 text-ink-2">
            {header}
          </span>
        )}
        <span className={`min-w-0 truncate ${link}`}>{content}</span>
      </td>
    )
  })
}

/** The index of the row that has the focus. */
function useFocusedRow(body: React.RefObject<HTMLElement | null>): number | null {
  const [focused, setFocused] = useState<number | null>(null)
  useEffect(() => {
    const element = body.current
    const enter = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
      setFocused(row ? Number(row.dataset['index']) : null)
    }
    const leave = () => setFocused(null)
    element?.addEventListener('focusin', enter)
    element?.addEventListener('focusout', leave)
    return () => {
      element?.removeEventListener('focusin', enter)
      element?.removeEventListener('focusout', leave)
    }
  }, [body])
  return focused
}

/** The element's distance from the top of the page in pixels. Measured again when the page changes its size. */
function useOffsetTop(element: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return top
}

const NARROW = '(width < 48rem)'

/** Whether rows are cards: below Tailwind's `md`. */
function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const update = () => setNarrow(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return narrow
}
