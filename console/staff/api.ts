import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc, trpcClient } from '../trpc.ts'

export type TenantRow = inferOutput<typeof trpc.staff.tenants.list>['rows'][number]
export type TenantDetails = inferOutput<typeof trpc.staff.tenants.get>
export type Anomaly = TenantRow['anomalies'][number]
export type Actor = TenantDetails['entries'][number]['actor']
export type StaffTrace = inferOutput<typeof trpc.staff.trace>
export type AuditRow = inferOutput<typeof trpc.staff.audit>['rows'][number]
export type MonthUsage = inferOutput<typeof trpc.staff.usage>
export type QuotaRequest = inferOutput<typeof trpc.staff.quotaRequests.list>[number]
export type UnitRequest = inferOutput<typeof trpc.staff.requests.list>['rows'][number]
export type FailedJob = inferOutput<typeof trpc.staff.jobs.list>['rows'][number]
export type SystemStatus = inferOutput<typeof trpc.staff.system.view>
export type SearchResults = inferOutput<typeof trpc.staff.search>
export type SearchResult = SearchResults['hits'][number]

/** Whether the text may contain a secret key. Such a text is sent once, and is not stored in the URL or a cache. */
export const maybeSecret = (text: string): boolean => text.includes('tg_secret_')

/** A search for a text without a secret. A mutation, because it may contain an e-mail address and URLs are logged. */
const searchOptions = (text: string) => ({
  queryKey: [...trpc.staff.search.mutationKey(), text],
  queryFn: () => trpcClient.staff.search.mutate({ text }),
  staleTime: 10_000,
})

/** The results for the text in the URL. */
export const useSearchResults = (text: string) => useQuery({ ...searchOptions(text), enabled: text !== '' })

export const search = (text: string): Promise<SearchResults> =>
  maybeSecret(text) ? trpcClient.staff.search.mutate({ text }) : queryClient.fetchQuery(searchOptions(text))

/** The page of a result; null if it has none. */
export function linkToResult({ kind, id, tenant }: SearchResult) {
  if (kind === 'decision' || kind === 'intent' || kind === 'grant' || kind === 'feedback' || kind === 'refusal')
    return { to: '/staff/trace/$id', params: { id } } as const
  // the row of the site or the person is marked there
  return tenant && ({ to: '/staff/tenants/$tenant', params: { tenant: tenant.id }, hash: id } as const)
}

/** The page of the result, if there is only one. */
export function linkToOnly({ hits: [result, ...others] }: SearchResults) {
  return result && others.length === 0 ? linkToResult(result) : null
}
