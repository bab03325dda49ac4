import { queryClient, trpc } from '../trpc.ts'
import { refreshSites } from './useSite.ts'

/** After a change of a secret: the list, and the site's count of those that work. */
export async function refreshKeys(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries(trpc.secrets.list.pathFilter()), refreshSites()])
}
