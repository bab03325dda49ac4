import { queryClient, trpc } from '../trpc.ts'
import { refreshSites } from './useSite.ts'

/** After a change of the allow-list: the list, what was refused, and the site that shows both. */
export async function refreshHostnames(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries(trpc.hostnames.pathFilter()), refreshSites()])
}
