import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc } from '../trpc.ts'

export type Site = inferOutput<typeof trpc.sites.get>
export type SiteRow = inferOutput<typeof trpc.sites.list>['rows'][number]
export type Secret = inferOutput<typeof trpc.secrets.list>['rows'][number]
export type Hostname = inferOutput<typeof trpc.hostnames.list>['rows'][number]
export type RefusedHostname = inferOutput<typeof trpc.hostnames.refused>[number]
export type TestKey = inferOutput<typeof trpc.sites.integration>['testKeys'][number]

/** The input that identifies the page's site in every procedure. */
export function useSiteInput(): { tenant: string; site: string } {
  const { tenant, site } = useParams({ from: '/o/$tenant/sites/$site' })
  return { tenant, site }
}

/** The site, for the layout of its pages, which also shows loading and errors. */
export const useSiteQuery = () => useQuery(trpc.sites.get.queryOptions(useSiteInput()))

/** The site, for the pages inside that layout: it renders them only after the site has loaded. */
export const useSite = (): Site => useSuspenseQuery(trpc.sites.get.queryOptions(useSiteInput())).data

/** The hostnames that were refused recently, newest first. */
export const useRefusedHostnames = (refetchInterval: number) =>
  useQuery(trpc.hostnames.refused.queryOptions(useSiteInput(), { refetchInterval }))

/** Refetches the list of sites, but not a site that has just been deleted. */
export const refreshSiteList = (): Promise<void> => queryClient.invalidateQueries(trpc.sites.list.pathFilter())

/** Refetches all queries about sites. */
export const refreshSites = (): Promise<void> => queryClient.invalidateQueries(trpc.sites.pathFilter())

/** Refetches the allowed and refused hostnames, and the sites, which contain the allowed ones. */
export async function refreshHostnames(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries(trpc.hostnames.pathFilter()), refreshSites()])
}

/** Refetches the secrets, and the sites, which contain their number. */
export async function refreshSecrets(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries(trpc.secrets.list.pathFilter()), refreshSites()])
}
