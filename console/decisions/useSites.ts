import { useQuery } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'

/** The names of the tenant's sites by id, oldest first; empty until loaded. */
export function useSites(): Readonly<Record<string, string>> {
  const { slug } = useTenant()
  const { data } = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))
  return Object.fromEntries((data?.rows ?? []).map(({ id, name }) => [id, name]))
}
