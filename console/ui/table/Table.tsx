import { type ColumnDef, flexRender, type Row, tableFeatures, useTable } from '@tanstack/react-table'
import { memo, type ReactNode, useMemo } from 'react'
import { Button } from '../form/Button.tsx'
import { ErrorPanel } from '../page/ErrorNotice.tsx'
import { Skeleton } from '../page/Page.tsx'
import { whole } from '../text/format.ts'
import { InTable, Time } from '../text/Time.tsx'
import { useZone, zoneName } from '../text/zone.ts'
import { KeepFocus, moveInRow, useOneStopPerRow } from './focus.tsx'
import type { VirtualRows } from './VirtualRows.tsx'

/** How a column looks. */
type Look = {
  /** The heading is for screen readers only. A card shows the cell last, `corner` in its corner: for a single icon. */
  hidden?: true | 'corner'
  /** For numbers. */
  align?: 'right'
  /**
   * Without it columns share the width evenly. Only the first column and wide ones break within a word: names may be of
   * any length, and columns beside them would be cut off. `narrow`: as wide as its longest value, which never wraps.
   */
  width?: 'narrow' | 'wide'
  /** Its width in a long table, whose columns must not depend on the rows in the window: `9rem`. Without it, an even share. */
  size?: string
  /** Hides the column in tables narrower than this. Cards show it, except for `2xl` and in a long table. */
  from?: 'lg' | 'xl' | '2xl'
  /** The heading names the time zone. */
  zoned?: true
}

const PLAIN: Look = {}
const features = tableFeatures({ columnMeta: PLAIN })

export type Column<Data extends object> = ColumnDef<typeof features, Data>
export type TableRow<Data extends object> = Row<typeof features, Data>

/** A column: its heading and what it shows of a row. The first one identifies the row; put the row's link there. */
export const column = <Data extends object>(
  header: string,
  cell: (row: Data) => ReactNode,
  meta: Look = {},
): Column<Data> => ({ header, cell: ({ row }) => cell(row.original), meta })

/** A column of times (Unix seconds) to the second, with the zone in its heading. `none`: in place of a time that is null. */
export const timeColumn = <Data extends object>(
  header: string,
  at: (row: Data) => number | null,
  meta: Look = {},
  none: ReactNode = '–',
): Column<Data> =>
  column(
    header,
    (row) => {
      const time = at(row)
      return <span className="whitespace-nowrap">{time === null ? none : <Time at={time} as="second" />}</span>
    },
    { ...meta, zoned: true },
  )

/** The part of a query that a table needs: of all rows, or an infinite one over `{ rows, nextCursor }`. */
export type Listing<Data> = {
  data: readonly Data[] | { pages: readonly { rows: readonly Data[] }[] } | undefined
  error?: unknown
  isFetching?: boolean
  refetch?: () => unknown
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
  fetchNextPage?: () => unknown
}

type Props<Data extends object> = {
  /** The accessible name. */
  label: string
  list: Listing<Data>
  /** The same object in every render. */
  columns: readonly Column<Data>[]
  /** The same function in every render of a long table. */
  rowKey: (row: Data) => string
  /** The key of a row that a link led to: it is marked, and scrolled to. */
  marked?: string | undefined
  /** Shown instead of a table without rows: an `EmptyState`. Undefined: an empty table. */
  empty: ReactNode
  /**
   * For a table of any length: only the rows in the window are rendered, cells never wrap, and cards are compact. `Rows` comes
   * from the page, so that the code for it loads with that page only. `onNearEnd` loads more rows when the end is near;
   * undefined while it should not. `end`: shown below the rows.
   */
  long?: { Rows: typeof VirtualRows; onNearEnd: (() => void) | undefined; end: ReactNode }
}

/**
 * A table with a button that loads more rows. On narrow screens each row is a card of few lines: the first value with the
 * actions, below them the others with their headings. The Tab key stops at a row once, at its link, if it has one; the arrow
 * keys lead to its other controls.
 */
export function Table<Data extends object>({ label, list, columns, rowKey, marked, empty, long }: Props<Data>) {
  const { data, error, isFetching = false, hasNextPage = false } = list
  const rows = useMemo(() => (data && 'pages' in data ? data.pages.flatMap((page) => page.rows) : data), [data])
  const table = useTable({ features, columns, data: rows ?? NONE, getRowId: rowKey })
  const shown = rows && table.getRowModel().rows
  const draw = (row: TableRow<Data> | undefined) => <Cells row={row} columns={columns} long={long !== undefined} />
  const element = useOneStopPerRow()
  if (!rows && error) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void list.refetch?.()} />
  if (rows?.length === 0 && empty !== undefined) return <KeepFocus>{empty}</KeepFocus>
  return (
    <KeepFocus>
      <InTable value={true}>
        <div className="overflow-clip rounded-panel border border-line bg-surface">
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for the keys of the controls in it */}
          <table
            ref={element}
            onKeyDown={moveInRow}
            aria-label={label}
            aria-busy={!rows}
            {...(long && {
              'aria-rowcount': hasNextPage || !rows ? -1 : rows.length + 1,
              'aria-colcount': columns.length,
            })}
            className={`block w-full text-13 md:table ${long ? 'md:table-fixed' : ''}`}
          >
            {/* other headings while the rows load: the widths of the columns depend on them, and nothing moves */}
            <thead
              key={rows ? 'shown' : 'loading'}
              className={`sr-only md:not-sr-only md:table-header-group ${rows ? '' : '[&_th]:text-transparent!'}`}
            >
              <tr aria-rowindex={long && 1}>
                {table.getFlatHeaders().map(({ id, column: { columnDef } }) => (
                  <Heading key={id} {...columnDef} long={long !== undefined} />
                ))}
              </tr>
            </thead>
            {long && shown ? (
              <long.Rows rows={shown} className={BODY} rowClass={ROW} draw={draw} onNearEnd={long.onNearEnd} />
            ) : (
              <tbody className={BODY}>
                {shown
                  ? shown.map((row) => (
                      <tr
                        key={row.id}
                        className={`${ROW} aria-current:bg-sunken aria-current:outline-2 aria-current:-outline-offset-2 aria-current:outline-brand`}
                        {...(row.id === marked && { 'aria-current': true, ref: scrollTo })}
                      >
                        {draw(row)}
                      </tr>
                    ))
                  : [1, 2, 3].map((n) => (
                      <tr key={n} className={ROW}>
                        {draw(undefined)}
                      </tr>
                    ))}
              </tbody>
            )}
          </table>
          {long?.end}
          {hasNextPage && !long && (
            <div className="flex flex-wrap items-center justify-center gap-x-3 border-t border-line p-2">
              <Button look="quiet" busy={list.isFetchingNextPage ?? false} onClick={() => void list.fetchNextPage?.()}>
                {list.isFetchingNextPage ? 'Loading…' : 'Load more'}
              </Button>
              <p className="text-12 text-ink-2">{whole(rows?.length ?? 0)} shown</p>
            </div>
          )}
        </div>
      </InTable>
    </KeepFocus>
  )
}

const NONE: never[] = []

const scrollTo = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' })

const BODY = 'block divide-y divide-line md:table-row-group'
const CARD = 'relative gap-x-4 px-4 py-2.5 transition-colors hover:bg-sunken/60 md:table-row md:p-0'
const ROW = `${CARD} flex flex-wrap items-center gap-y-1`

const WIDTHS = { narrow: 'md:w-px', wide: 'xl:w-1/3' } as const
const FROM = { lg: 'md:max-lg:hidden', xl: 'md:max-xl:hidden', '2xl': 'max-md:hidden md:max-2xl:hidden' } as const

type CellProps<Data extends object> = Pick<Column<Data>, 'header' | 'meta'> & { long: boolean }

function Heading<Data extends object>({
  header,
  meta: { hidden, align, width, size, from, zoned } = PLAIN,
  long,
}: CellProps<Data>) {
  const zone = useZone()
  return (
    <th
      scope="col"
      style={long ? { width: size } : undefined}
      // below the bar of narrower windows
      className={`sticky top-14 z-10 h-10 border-b border-line bg-surface px-3 text-12 font-medium whitespace-nowrap text-ink-2 first:pl-4 last:pr-4 lg:top-0 ${align === 'right' ? 'text-right' : 'text-left'} ${width ? WIDTHS[width] : ''} ${from ? FROM[from] : ''}`}
    >
      {hidden ? <span className="sr-only">{String(header)}</span> : String(header)}
      {zoned && <span className="font-normal"> · {zoneName(zone)}</span>}
    </th>
  )
}

/** The link of the first cell covers the row, below what else can be clicked in it. */
const COVERING_LINK = '[&_a]:after:absolute [&_a]:after:inset-0 [&_a]:after:content-[""]'
const CELL =
  'flex min-w-0 items-baseline gap-1.5 [&_button]:relative md:[&_button]:max-h-7 md:table-cell md:h-9 md:px-3 md:py-1 md:first:pl-4 md:last:pr-4'

function drawCells<Data extends object>({
  row,
  columns,
  long,
}: {
  /** Undefined while the rows load. */
  row: TableRow<Data> | undefined
  columns: readonly Column<Data>[]
  long: boolean
}): ReactNode {
  const cells = row?.getAllCells()
  const hasCorner = columns.some(({ meta }) => meta?.hidden === 'corner')
  return columns.map(({ header, cell, meta: { hidden, align, width, from } = {} }, at) => {
    const context = cells?.[at]?.getContext()
    const first = at === 0
    // the second value of a compact card is at the right, without its heading
    const labelled = long ? at > 1 : !first && !hidden
    const label = labelled ? 'max-w-full max-md:text-12 max-md:has-data-none:hidden' : ''
    const place = long
      ? `md:truncate ${from ? 'max-md:hidden' : ''} ${first ? 'grow basis-[38%]' : at === 1 ? 'grow basis-[55%] justify-end' : label}`
      : first
        ? `min-h-6 grow ${hasCorner ? 'basis-3/5' : 'basis-full'}`
        : `[&_a]:relative ${hidden === 'corner' ? '' : 'max-md:order-last'} ${hidden === true ? 'max-md:ml-auto max-md:empty:hidden' : label}`
    const wrap = long
      ? 'truncate'
      : `wrap-anywhere ${width === 'narrow' ? 'md:whitespace-nowrap' : first || width === 'wide' ? '' : 'xl:wrap-break-word'}`
    return (
      <td
        key={String(header)}
        className={`${CELL} ${first ? COVERING_LINK : ''} ${place} ${align === 'right' ? 'md:text-right' : ''} ${from ? FROM[from] : ''}`}
      >
        {labelled && (
          <span aria-hidden className="shrink-0 text-12 text-ink-2 md:hidden">
            {String(header)}
          </span>
        )}
        <span className={`min-w-0 ${wrap}`}>{context ? flexRender(cell, context) : <Skeleton width="short" />}</span>
      </td>
    )
  })
}

/** Not drawn again with every scroll. */
const Cells = memo(drawCells) as typeof drawCells
