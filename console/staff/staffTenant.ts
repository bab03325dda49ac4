import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc } from '../trpc.ts'

/** A tenant as our own people see it. */
export type StaffTenantView = inferOutput<typeof trpc.staff.tenants.get>

/** After a change of any tenant: it is shown anew, and so are the lists. */
export const refreshTenant = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: trpc.staff.tenants.pathKey() })
