import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import type { Range } from '../ui/form/period.ts'

export type Rates = inferOutput<typeof trpc.feedback.rates>
export type Report = inferOutput<typeof trpc.feedback.list>['rows'][number]
export type FeedbackHistory = inferOutput<typeof trpc.feedback.history>
export type Revision = FeedbackHistory['revisions'][number]

/** Reports and abuse in the period. Keeps the previous data while the next period loads. */
export function useRates(range: Range, site: string | undefined) {
  const { slug } = useTenant()
  return useQuery(
    trpc.feedback.rates.queryOptions(
      { tenant: slug, ...range, ...(site && { site }) },
      { placeholderData: (shown) => shown },
    ),
  )
}
