import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Rows rendered outside the window, for fast scrolling and the Tab key. */
const OVERSCAN = 8
/** More rows are loaded when this many are left below the window. */
const NEAR_END = 25
/** About the height of a row and of a card in pixels, until it is rendered and measured. */
const ROW_PIXELS = 36
const CARD_PIXELS = 124

/**
 * The body of a table, with only the rows in the window. It scrolls with the page. Row numbers are set for screen readers,
 * which see only the rendered rows.
 */
export function VirtualRows<Item extends { id: string }>({
  rows,
  className,
  rowClass,
  draw,
  onNearEnd,
}: {
  rows: readonly Item[]
  className: string
  rowClass: string
  /** The cells of a row. */
  draw: (row: Item) => ReactNode
  onNearEnd: (() => void) | undefined
}) {
  const body = useRef<HTMLTableSectionElement>(null)
  const scrollMargin = useOffsetTop(body)
  const [estimate] = useState(() => (matchMedia('(width < 48rem)').matches ? CARD_PIXELS : ROW_PIXELS))
  // the row with the focus stays rendered when it is scrolled out of the window
  const [focused, setFocused] = useState<number | null>(null)
  const count = rows.length
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => estimate,
    overscan: OVERSCAN,
    scrollMargin,
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    rangeExtractor: (range) => {
      const rendered = defaultRangeExtractor(range)
      return focused === null || focused >= count || rendered.includes(focused)
        ? rendered
        : [...rendered, focused].toSorted((a, b) => a - b)
    },
  })
  // The browser keeps the rows in place when the height of those above turns out. This would do it from where the page was
  // scrolled to before a jump, and undo the jump.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false
  const items = virtual.getVirtualItems()
  const nearEnd = (items.at(-1)?.index ?? 0) >= count - NEAR_END
  useEffect(() => {
    if (nearEnd) onNearEnd?.()
  }, [nearEnd, onNearEnd])

  let drawnTo = scrollMargin
  const gapBefore = (start: number, end: number) => {
    const gap = start - drawnTo
    drawnTo = end
    // stands for the rows between those that are rendered
    return gap > 0 && <tr aria-hidden className="block md:table-row" style={{ height: gap }} />
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the focus of its rows bubbles to it
    <tbody
      ref={body}
      className={className}
      onFocus={({ target }) => {
        const row = target.closest<HTMLElement>('[data-index]')
        setFocused(row ? Number(row.dataset['index']) : null)
      }}
      onBlur={() => setFocused(null)}
    >
      {items.map(({ index, key, start, end }) => {
        const row = rows[index]
        return (
          <Fragment key={key}>
            {gapBefore(start, end)}
            <tr ref={virtual.measureElement} data-index={index} aria-rowindex={index + 2} className={rowClass}>
              {row && draw(row)}
            </tr>
          </Fragment>
        )
      })}
      {gapBefore(scrollMargin + virtual.getTotalSize(), 0)}
    </tbody>
  )
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
