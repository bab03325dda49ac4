import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import type { AuditFilters } from '../../server/contract/filters.ts'
import { useTenant } from '../frame/useTenant.ts'
import { PAGED, trpc } from '../trpc.ts'
import type { Range } from '../ui/form/period.ts'

export type AuditRow = inferOutput<typeof trpc.audit.list>['rows'][number]

export function useAuditLog(query: AuditFilters & Partial<Range>) {
  const { slug } = useTenant()
  return useInfiniteQuery(trpc.audit.list.infiniteQueryOptions({ tenant: slug, ...query }, PAGED))
}

/** One event; fetches nothing without an id. Events never change. */
export function useAuditEvent(id: string | undefined) {
  const { slug } = useTenant()
  return useQuery(
    trpc.audit.get.queryOptions(
      { tenant: slug, id: id ?? '' },
      { enabled: id !== undefined, staleTime: Number.POSITIVE_INFINITY },
    ),
  )
}
