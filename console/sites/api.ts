import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useEffect, useState } from 'react'
import { type SiteDifficulty, siteDifficulty } from '../../server/contract/sitePolicy.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import type { Backend } from './backends.ts'

export type Site = inferOutput<typeof trpc.sites.get>
export type SiteRow = inferOutput<typeof trpc.sites.list>['rows'][number]
export type Secret = inferOutput<typeof trpc.secrets.list>['rows'][number]
export type Hostname = inferOutput<typeof trpc.hostnames.list>['rows'][number]
export type RefusedHostname = inferOutput<typeof trpc.hostnames.refused>[number]
export type Finding = inferOutput<typeof trpc.sites.doctor>['findings'][number]
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

const DOCTOR_MS = 15_000

/** The mistakes that the site's calls show, for members who may read refusals, in the language or that of the SDK in use. */
export function useDoctor(language?: Backend) {
  const { may } = useTenant()
  return useQuery(
    trpc.sites.doctor.queryOptions(
      { ...useSiteInput(), ...(language && { language: language === 'wordpress' ? 'php' : language }) },
      { enabled: may('refusal.read'), refetchInterval: DOCTOR_MS, placeholderData: keepPreviousData },
    ),
  )
}

/** The site's shadow policy, null without one, and what it would have asked since it began. */
export function useShadow(policy: SiteDifficulty) {
  const input = useSiteInput()
  const shadow = useQuery(trpc.sites.shadow.queryOptions(input))
  const comparison = useQuery(
    trpc.sites.compare.queryOptions(
      { ...input, difficulty: shadow.data?.difficulty ?? policy, since: shadow.data?.since },
      { enabled: Boolean(shadow.data) },
    ),
  )
  return { shadow, comparison }
}

/** How long the last change of a draft has to be over before it is compared. */
const TYPING_MS = 400

/**
 * What a draft would have asked of the visitors of the last week, shortly after each change. What is not valid yet is compared
 * as it was before.
 */
export function useComparison(draft: SiteDifficulty, policy: SiteDifficulty) {
  const input = useSiteInput()
  const [settled, setSettled] = useState(() => siteDifficulty.parse(policy))
  const parsed = siteDifficulty.safeParse(draft)
  const text = parsed.success ? JSON.stringify(parsed.data) : null
  useEffect(() => {
    if (text === null) return undefined
    const timer = setTimeout(() => setSettled(siteDifficulty.parse(JSON.parse(text))), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useQuery(
    trpc.sites.compare.queryOptions(
      { ...input, difficulty: settled },
      { placeholderData: keepPreviousData, staleTime: 60_000 },
    ),
  )
}
