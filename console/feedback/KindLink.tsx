import { Link } from '../ui/text/Link.tsx'
import type { FeedbackSearch } from './search.ts'

/** Filters the reports below and scrolls to them. */
export function KindLink({
  narrow,
  children,
}: {
  narrow: Pick<FeedbackSearch, 'type' | 'action' | 'site'>
  children: string
}) {
  return (
    <Link
      from="/o/$tenant/feedback"
      search={({ period, from, to, site }) => ({ period, from, to, site, ...narrow })}
      hash="reports"
      resetScroll={false}
    >
      {children}
    </Link>
  )
}
