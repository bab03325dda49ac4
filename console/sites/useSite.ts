import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc } from '../trpc.ts'

export type Site = inferOutput<typeof trpc.sites.get>

/** What every procedure of the page's site is asked with. */
export function useSiteInput(): { tenant: string; site: string } {
  const { tenant, site } = useParams({ from: '/o/$tenant/sites/$site' })
  return { tenant, site }
}

/** For the frame of a site's pages, which shows its loading and its failure. */
export const useSiteQuery = () => useQuery(trpc.sites.get.queryOptions(useSiteInput()))

/** The page's site. Only within its frame, which waits for it. */
export const useSite = (): Site => useSuspenseQuery(trpc.sites.get.queryOptions(useSiteInput())).data

/** After a change: the site, wherever it is shown, is asked for anew. */
export const refreshSites = (): Promise<void> => queryClient.invalidateQueries(trpc.sites.pathFilter())
