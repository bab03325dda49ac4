import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../form/Button.tsx'
import { ErrorPanel } from '../page/ErrorNotice.tsx'
import { Skeleton } from '../page/Page.tsx'
import { whole } from '../text/format.ts'

export type Column<Row> = {
  /** The heading; with `hidden` for screen readers only. */
  header: string
  hidden?: true
  cell: (row: Row) => ReactNode
  /** For numbers. */
  align?: 'right'
  /**
   * Without it columns share the width evenly. Only the first column and wide ones break within a word: names may be of
   * any length, and columns beside them would be cut off. `narrow`: as wide as its longest value, which never wraps.
   */
  width?: 'narrow' | 'wide'
  /** Hides the column in tables narrower than this. Cards show it. */
  from?: 'xl' | '2xl'
}

/** The part of an infinite query over `{ rows, nextCursor }` that a table needs. */
export type Listing<Row> = {
  data: { pages: { rows: Row[] }[] } | undefined
  error: unknown
  isFetching: boolean
  refetch: () => unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

type WholeList<Row> = Pick<Listing<Row>, 'error' | 'isFetching' | 'refetch'> & { data: Row[] | undefined }

/** A query without pages, for a table. */
export const singlePage = <Row,>({ data, error, isFetching, refetch }: WholeList<Row>): Listing<Row> => ({
  data: data && { pages: [{ rows: data }] },
  error,
  isFetching,
  refetch,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage: () => undefined,
})

const WIDTHS = { narrow: 'md:w-px', wide: 'xl:w-1/3' } as const
const FROM = { xl: 'md:max-xl:hidden', '2xl': 'md:max-2xl:hidden' } as const
const CELL = 'px-3 first:pl-4 last:pr-4'

type Props<Row> = {
  /** The accessible name. */
  label: string
  list: Listing<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** Shown instead of a table without rows: an `EmptyState`. */
  empty: ReactNode
}

/**
 * A table with a button that loads more rows. On narrow screens each row is a card: every value has its heading beside it,
 * and the actions are in the corner. The first column identifies the row; put the row's link there.
 */
export function DataTable<Row>(props: Props<Row>) {
  return (
    <KeepFocus>
      <Rows {...props} />
    </KeepFocus>
  )
}

function Rows<Row>({ label, list, columns, rowKey, empty }: Props<Row>) {
  const rows = list.data?.pages.flatMap((page) => page.rows)
  if (!rows && list.error)
    return <ErrorPanel error={list.error} retrying={list.isFetching} onRetry={() => void list.refetch()} />
  if (rows?.length === 0) return empty
  return (
    <div className="overflow-clip rounded-panel border border-line bg-surface">
      <table aria-label={label} aria-busy={!rows} className="block w-full text-13 md:table">
        <thead className="sr-only md:not-sr-only md:table-header-group">
          <tr>
            {columns.map(({ header, hidden, align, width, from }) => (
              <th
                key={header}
                scope="col"
                className={`sticky top-0 z-10 h-10 border-b border-line bg-surface text-12 font-medium whitespace-nowrap text-ink-2 ${CELL} ${align === 'right' ? 'text-right' : 'text-left'} ${width ? WIDTHS[width] : ''} ${from ? FROM[from] : ''}`}
              >
                {hidden ? <span className="sr-only">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line md:table-row-group">
          {rows
            ? rows.map((row) => <TableRow key={rowKey(row)} row={row} columns={columns} />)
            : [1, 2, 3].map((n) => <TableRow key={n} row={undefined} columns={columns} />)}
        </tbody>
      </table>
      {list.hasNextPage && (
        <div className="flex flex-wrap items-center justify-center gap-x-3 border-t border-line p-2">
          <Button look="quiet" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {list.isFetchingNextPage ? 'Loading…' : 'Load more'}
          </Button>
          <p className="text-12 text-ink-2">{whole(rows?.length ?? 0)} shown</p>
        </div>
      )}
    </div>
  )
}

/** The link of the first cell covers the row, below what else can be clicked in it. */
const STRETCHED = '[&_a]:after:absolute [&_a]:after:inset-0 [&_a]:after:content-[""]'

function TableRow<Row>({ row, columns }: { row: Row | undefined; columns: readonly Column<Row>[] }) {
  return (
    <tr className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 py-3 transition-colors hover:bg-sunken/60 md:table-row md:p-0">
      {columns.map(({ header, hidden, align, width, from, cell }, index) => (
        <td
          key={header}
          className={`flex min-h-7 min-w-0 items-center gap-4 md:table-cell md:h-9 md:py-1 [&_button]:relative ${index === 0 ? STRETCHED : `[&_a]:relative ${hidden ? 'col-start-2 row-start-1' : 'col-span-2 justify-between'}`} md:px-3 md:first:pl-4 md:last:pr-4 ${align === 'right' ? 'md:text-right' : ''} ${from ? FROM[from] : ''}`}
        >
          {index > 0 && !hidden && (
            <span aria-hidden className="shrink-0 text-12 text-ink-2 md:hidden">
              {header}
            </span>
          )}
          <span
            className={`min-w-0 wrap-anywhere ${width === 'narrow' ? 'md:whitespace-nowrap' : index === 0 || width === 'wide' ? '' : 'xl:wrap-break-word'} ${index > 0 && !hidden ? 'max-md:text-right' : ''}`}
          >
            {row === undefined ? <Skeleton width="short" /> : cell(row)}
          </span>
        </td>
      ))}
    </tr>
  )
}

/**
 * Takes the focus when the focused control inside it is removed, such as the button of a deleted row. Otherwise the focus
 * would return to the start of the page.
 */
function KeepFocus({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  useEffect(() => {
    // a removed element fires no blur event
    if (hasFocus.current && document.activeElement === document.body) container.current?.focus()
  })
  return (
    <div
      ref={container}
      tabIndex={-1}
      className="rounded-panel"
      onFocus={() => {
        hasFocus.current = true
      }}
      onBlur={() => {
        hasFocus.current = false
      }}
    >
      {children}
    </div>
  )
}
