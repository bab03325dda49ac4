import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import type { Range } from '../ui/form/period.ts'

export type UsageSeries = inferOutput<typeof trpc.usage.series>

const REFRESH_MS = 15_000

/** The traffic of the tenant's sites, or of one. Keeps the previous data while the next period loads. */
export function useSeries(range: Range, site?: string) {
  const { slug } = useTenant()
  return useQuery(
    trpc.usage.series.queryOptions(
      { tenant: slug, ...range, ...(site !== undefined && { site }) },
      { refetchInterval: REFRESH_MS, placeholderData: (shown) => shown },
    ),
  )
}
