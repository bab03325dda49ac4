import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useCallback, useMemo, useState } from 'react'
import { type DecisionFilters, decisionFilters } from '../../server/contract/filters.ts'
import type { DecisionSearch } from '../routes/search.ts'
import { queryClient, trpc } from '../trpc.ts'
import { isFixed, type Range } from '../ui/form/period.ts'

/** One decision with everything that belongs to it, or an intent without a decision. */
export type Trace = Omit<inferOutput<typeof trpc.decisions.get>, 'neighbours' | 'grantTerms'>
type Page = inferOutput<typeof trpc.decisions.list>
export type DecisionRow = Page['rows'][number]

/** The filters among the search parameters. */
export const filtersOf = (search: DecisionSearch): DecisionFilters => decisionFilters.parse(search)

/** The search parameters without the filters. */
export const withoutFilters = ({ period, from, to, live }: DecisionSearch): DecisionSearch => ({
  period,
  from,
  to,
  live,
})

/** The query of the list. For a period that ends now it has no `to`, so that new decisions match. */
export const queryOf = (search: DecisionSearch, { from, to }: Range) => ({
  ...filtersOf(search),
  from,
  ...(isFixed(search) && { to }),
})

type Query = ReturnType<typeof queryOf>

const PAGE_SIZE = 200
/** With more waiting rows than this the list is reloaded instead. */
const MAX_WAITING = 2000
/** The same for rows added on top of the list. */
const MAX_ON_TOP = 5000

const listOptions = (tenant: string, query: Query) =>
  trpc.decisions.list.infiniteQueryOptions(
    { tenant, ...query, limit: PAGE_SIZE },
    { getNextPageParam: ({ nextCursor }) => nextCursor, staleTime: 60_000 },
  )

/** Whether `a` is listed above `b`: newest first, then by id. */
const isAbove = (a: DecisionRow, b: DecisionRow): boolean =>
  a.redeemedAt === b.redeemedAt ? a.id > b.id : a.redeemedAt > b.redeemedAt

/**
 * The loaded rows with the live ones merged in. While `paused`, new rows wait and are only counted, so that the list does
 * not move while it is read.
 */
export function useDecisions(tenant: string, query: Query, paused: boolean) {
  const options = listOptions(tenant, query)
  const list = useInfiniteQuery(options)
  const [added, setAdded] = useState<{ top: DecisionRow[]; waiting: DecisionRow[] }>({ top: [], waiting: [] })
  const { data, refetch } = list

  const loaded = useMemo(() => data?.pages.flatMap((page) => page.rows), [data])
  const rows = useMemo(() => loaded && merge(added.top, loaded), [added.top, loaded])
  const waiting = useMemo(() => {
    const known = new Set(loaded?.map(({ id }) => id))
    return added.waiting.filter(({ id }) => !known.has(id)).length
  }, [added.waiting, loaded])

  /** Reloads the first page; the other ones are loaded when scrolled to. */
  const reload = useCallback(async () => {
    queryClient.setQueryData(options.queryKey, (known: InfiniteData<Page, string | null> | undefined) =>
      known ? { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) } : known,
    )
    const { data: fresh } = await refetch()
    const last = fresh?.pages.at(-1)?.rows.at(-1)
    // rows further down are loaded again with their page
    setAdded(({ top, waiting }) => ({
      top: [...top, ...waiting].filter((row) => last === undefined || isAbove(row, last)),
      waiting: [],
    }))
  }, [options.queryKey, refetch])

  const addRows = (rows: readonly DecisionRow[]) =>
    setAdded(({ top, waiting }) => {
      const known = new Set([...top, ...waiting].map(({ id }) => id))
      const fresh = rows.filter(({ id }) => !known.has(id))
      if (fresh.length === 0) return { top, waiting }
      return paused ? { top, waiting: [...waiting, ...fresh] } : { top: [...top, ...fresh], waiting }
    })

  const showWaiting = useCallback(
    () =>
      setAdded(({ top, waiting }) =>
        waiting.length === 0 ? { top, waiting } : { top: [...top, ...waiting], waiting: [] },
      ),
    [],
  )

  return {
    list,
    rows,
    waiting,
    addRows,
    reload,
    /** Adds the waiting rows to the list. */
    showWaiting,
    /** There are too many new rows: the list must be reloaded. */
    tooMany: added.waiting.length > MAX_WAITING || added.top.length > MAX_ON_TOP,
    searchedTo: data?.pages.at(-1)?.searchedTo ?? null,
    /** The number of empty pages since the last one with rows. */
    emptyPages: countEmptyPages(data?.pages ?? []),
  }
}

function merge(added: readonly DecisionRow[], loaded: readonly DecisionRow[]): readonly DecisionRow[] {
  if (added.length === 0) return loaded
  const known = new Set(loaded.map(({ id }) => id))
  const fresh = added.filter(({ id }) => !known.has(id)).toSorted((a, b) => (isAbove(a, b) ? -1 : 1))
  const rows: DecisionRow[] = []
  let next = 0
  for (const row of loaded) {
    for (let top = fresh[next]; top !== undefined && isAbove(top, row); top = fresh[++next]) rows.push(top)
    rows.push(row)
  }
  return [...rows, ...fresh.slice(next)]
}

function countEmptyPages(pages: readonly Page[]): number {
  const lastWithRows = pages.findLastIndex(({ rows }) => rows.length > 0)
  return pages.length - 1 - lastWithRows
}
