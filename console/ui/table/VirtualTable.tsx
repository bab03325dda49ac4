import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Skeleton } from '../page/Skeleton.tsx'

export type VirtualColumn<Row> = {
  /** What stands at the head. */
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers stand right. */
  align?: 'right'
  /** Where there is little room it is left out: up to which width. A card leaves it out too. */
  from?: 'lg' | 'xl'
}

/** Rows beyond the window that are drawn, so that a quick scroll and a tab find something. */
const AHEAD = 8
/** Rows before the end at which more are asked for. */
const NEAR = 25

const ROW_PIXELS = 37
const CARD_PIXELS = 124

const FROM = { lg: 'hidden lg:flex', xl: 'hidden xl:flex' } as const

type Props<Row> = {
  /** What the table holds, for those who hear it. */
  label: string
  /** Undefined while the first ones are on their way. */
  rows: readonly Row[] | undefined
  /** The first one names the row and holds its link, which the whole row follows; the second stands beside it in a card. */
  columns: readonly VirtualColumn<Row>[]
  /** Classes that lay out the columns from `md` on: `md:grid-cols-[…] lg:grid-cols-[…]`. */
  layout: string
  rowKey: (row: Row) => string
  /** Whether there are more rows than those here. */
  more: boolean
  /** Whether more may be asked for now. */
  ready: boolean
  /** The end is near: called again whenever it is still near and more may be asked for. */
  onNear: () => void
}

/**
 * Any number of rows, of which only those in the window are drawn; it scrolls with the page. Where it is narrow a row is
 * a card. Rows of a table and no list of boxes to those who hear it: each says its number.
 */
export function VirtualTable<Row>({ label, rows, columns, layout, rowKey, more, ready, onNear }: Props<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const cards = useNarrow()
  const margin = useTop(body)
  // the row with the focus stays drawn, however far it is scrolled away
  const focused = useFocusedRow(body)
  const count = rows?.length ?? 0
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => (cards ? CARD_PIXELS : ROW_PIXELS),
    overscan: AHEAD,
    scrollMargin: margin,
    getItemKey: (index) => {
      const row = rows?.[index]
      return row === undefined ? index : rowKey(row)
    },
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range)
      return focused === null || focused >= count || drawn.includes(focused)
        ? drawn
        : [...drawn, focused].toSorted((a, b) => a - b)
    },
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const near = rows !== undefined && ready && last >= count - NEAR
  useEffect(() => {
    if (near) onNear()
  }, [near, onNear])

  return (
    <table
      aria-label={label}
      aria-busy={rows === undefined}
      aria-colcount={columns.length}
      aria-rowcount={more || rows === undefined ? -1 : count + 1}
      className="block text-13"
    >
      <thead className="sr-only md:not-sr-only md:sticky! md:top-14 md:z-10 md:block md:rounded-t-panel md:bg-surface lg:top-0">
        <tr aria-rowindex={1} className={`grid h-10 items-center gap-x-4 border-b border-line px-4 ${layout}`}>
          {columns.map(({ header, align, from }) => (
            <th
              key={header}
              scope="col"
              className={`text-12 font-medium whitespace-nowrap text-ink-2 ${from ? FROM[from] : 'flex'} ${align === 'right' ? 'justify-end' : ''}`}
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
                <Cells row={undefined} columns={columns} />
              </tr>
            ))
          : items.map(({ index, key, start }) => (
              <tr
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={`absolute inset-x-0 top-0 hover:bg-sunken/60 ${ROW} ${layout}`}
                style={{ transform: `translateY(${start - margin}px)` }}
              >
                <Cells row={rows[index]} columns={columns} />
              </tr>
            ))}
      </tbody>
    </table>
  )
}

const ROW =
  'grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3 transition-colors md:h-9.25 md:py-0'

function Cells<Row>({ row, columns }: { row: Row | undefined; columns: readonly VirtualColumn<Row>[] }) {
  return columns.map(({ header, cell, align, from }, at) => (
    <td
      key={header}
      className={`min-w-0 items-baseline gap-2 ${from ? FROM[from] : 'flex'} ${align === 'right' ? 'md:justify-end' : ''} ${at === 1 ? 'justify-end md:justify-start' : ''}`}
    >
      {at > 1 && (
        <span aria-hidden className="shrink-0 text-12 text-ink-2 md:hidden">
          {header}
        </span>
      )}
      <span
        className={`min-w-0 truncate ${at === 0 ? '[&_a]:after:absolute [&_a]:after:inset-0 [&_a]:after:content-[""]' : ''}`}
      >
        {row === undefined ? <Skeleton width="short" /> : cell(row)}
      </span>
    </td>
  ))
}

/** The number of the row in `body` that has the focus. */
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

/** How far below the top of the page the element begins; measured anew whenever the page may have moved it. */
function useTop(element: React.RefObject<HTMLElement | null>): number {
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

/** Whether rows are cards: the same width as Tailwind's `md`. */
function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const tell = () => setNarrow(query.matches)
    query.addEventListener('change', tell)
    return () => query.removeEventListener('change', tell)
  }, [])
  return narrow
}
