import { Button } from '../ui/form/Button.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { counted } from '../ui/text/format.ts'
import { Time } from '../ui/text/Time.tsx'

type Props = {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; error: unknown }
  /** The number of loaded rows; undefined before the first ones. */
  count: number | undefined
  /** How far back the search has got. Unix seconds; null at the end of the list. */
  searchedTo: number | null
  /** Many pages in a row were empty: only a click continues the search. */
  stopped: boolean
  onMore: () => void
}

/** The line below the last row: how far the search got, and a button to continue. */
export function ListEnd({ list, count, searchedTo, stopped, onMore }: Props) {
  if (count === undefined) return null
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = list
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-2 text-12 text-ink-2">
      <p>
        {hasNextPage ? `${counted(count, 'decision')} so far` : `All ${counted(count, 'decision')} of this period`}
        {searchedTo !== null && (
          <>
            {' · searched back to '}
            <Time at={searchedTo} as="second" />
          </>
        )}
      </p>
      {isFetchNextPageError && <ErrorNote error={error} />}
      {hasNextPage && (stopped || isFetchNextPageError) && (
        <Button size="small" busy={isFetchingNextPage} onClick={onMore}>
          {isFetchingNextPage ? 'Searching…' : isFetchNextPageError ? 'Try again' : 'Search further back'}
        </Button>
      )}
      {hasNextPage && !stopped && !isFetchNextPageError && isFetchingNextPage && <p>Loading…</p>}
    </div>
  )
}
