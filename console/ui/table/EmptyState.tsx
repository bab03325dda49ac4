import type { ReactNode } from 'react'
import { Button } from '../form/Button.tsx'

/** Shown instead of an empty list: what the list would contain, how to get there (perhaps with a snippet), and an action. */
export function EmptyState({
  title,
  children,
  snippet,
  action,
}: {
  title: string
  children: ReactNode
  snippet?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="grid justify-items-start gap-4 rounded-panel border border-dashed border-line-strong p-5 md:p-6">
      <div>
        <p className="text-14 font-semibold">{title}</p>
        <div className="mt-1 max-w-136 text-13 text-pretty text-ink-2">{children}</div>
      </div>
      {snippet !== undefined && <div className="w-full max-w-160">{snippet}</div>}
      {action}
    </div>
  )
}

/** Shown instead of a filtered list without rows. `searchOn`: continues the search further back, if it has not ended. */
export function NoMatches({
  noun,
  searchOn,
  onClear,
  children,
}: {
  noun: string
  searchOn?: { busy: boolean; start: () => void } | undefined
  onClear: () => void
  children?: ReactNode
}) {
  if (searchOn)
    return (
      <EmptyState
        title="No matches so far"
        action={
          <Button busy={searchOn.busy} onClick={searchOn.start}>
            Search further back
          </Button>
        }
      >
        None of the latest 20,000 {noun}s in this period match.
      </EmptyState>
    )
  return (
    <EmptyState title="No matches" action={<Button onClick={onClear}>Clear filters</Button>}>
      No {noun} in this period matches all filters. {children}
    </EmptyState>
  )
}
