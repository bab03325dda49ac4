import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useCallback, useMemo, useState } from 'react'
import { queryClient, trpc } from '../trpc.ts'
import type { askedOf } from './search.ts'

type Page = inferOutput<typeof trpc.decisions.list>
export type DecisionRow = Page['rows'][number]

const PAGE = 200
/** With more waiting rows than this the list is reloaded instead. */
const MOST_WAITING = 2000
/** The same for rows added on top of the list. */
const MOST_ON_TOP = 5000

const listOptions = (tenant: string, asked: ReturnType<typeof askedOf>) =>
  trpc.decisions.list.infiniteQueryOptions(
    { tenant, ...asked, limit: PAGE },
    { getNextPageParam: ({ nextCursor }) => nextCursor, staleTime: 60_000 },
  )

/** Whether `a` is listed above `b`: newest first, then by id. */
const isAbove = (a: DecisionRow, b: DecisionRow): boolean =>
  a.redeemedAt === b.redeemedAt ? a.id > b.id : a.redeemedAt > b.redeemedAt

/**
 * The list as it was read, with what came since merged into it. What comes while it is `held` waits: nothing moves under
 * the eyes of who reads.
 */
export function useDecisions(tenant: string, asked: ReturnType<typeof askedOf>, held: boolean) {
  const options = listOptions(tenant, asked)
  const list = useInfiniteQuery(options)
  const [came, setCame] = useState<{ top: DecisionRow[]; waiting: DecisionRow[] }>({ top: [], waiting: [] })
  const { data, refetch } = list

  const read = useMemo(() => data?.pages.flatMap((page) => page.rows), [data])
  const rows = useMemo(() => read && merged(came.top, read), [came.top, read])
  const waiting = useMemo(() => {
    const known = new Set(read?.map(({ id }) => id))
    return came.waiting.filter(({ id }) => !known.has(id)).length
  }, [came.waiting, read])

  /** Reloads the top of the list; the rest is loaded when scrolled to. */
  const begin = useCallback(async () => {
    queryClient.setQueryData(options.queryKey, (known: InfiniteData<Page, string | null> | undefined) =>
      known ? { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) } : known,
    )
    const { data: fresh } = await refetch()
    const last = fresh?.pages.at(-1)?.rows.at(-1)
    // rows further down are loaded again with their page
    setCame(({ top, waiting }) => ({
      top: [...top, ...waiting].filter((row) => last === undefined || isAbove(row, last)),
      waiting: [],
    }))
  }, [options.queryKey, refetch])

  const add = (rows: readonly DecisionRow[]) =>
    setCame(({ top, waiting }) => {
      const known = new Set([...top, ...waiting].map(({ id }) => id))
      const fresh = rows.filter(({ id }) => !known.has(id))
      if (fresh.length === 0) return { top, waiting }
      return held ? { top, waiting: [...waiting, ...fresh] } : { top: [...top, ...fresh], waiting }
    })

  const show = useCallback(
    () =>
      setCame(({ top, waiting }) =>
        waiting.length === 0 ? { top, waiting } : { top: [...top, ...waiting], waiting: [] },
      ),
    [],
  )

  return {
    list,
    rows,
    waiting,
    add,
    begin,
    /** Adds the waiting rows to the list. */
    show,
    /** Too many new rows: the list must be reloaded. */
    overfull: came.waiting.length > MOST_WAITING || came.top.length > MOST_ON_TOP,
    searchedTo: data?.pages.at(-1)?.searchedTo ?? null,
    /** Empty pages since the last one with rows. */
    inVain: inVain(data?.pages ?? []),
  }
}

function merged(came: readonly DecisionRow[], read: readonly DecisionRow[]): readonly DecisionRow[] {
  if (came.length === 0) return read
  const known = new Set(read.map(({ id }) => id))
  const fresh = came.filter(({ id }) => !known.has(id)).toSorted((a, b) => (isAbove(a, b) ? -1 : 1))
  const rows: DecisionRow[] = []
  let next = 0
  for (const row of read) {
    for (let top = fresh[next]; top !== undefined && isAbove(top, row); top = fresh[++next]) rows.push(top)
    rows.push(row)
  }
  return [...rows, ...fresh.slice(next)]
}

function inVain(pages: readonly Page[]): number {
  const found = pages.findLastIndex(({ rows }) => rows.length > 0)
  return pages.length - 1 - found
}
