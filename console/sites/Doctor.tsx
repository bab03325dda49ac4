import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { LANGUAGES } from '../../server/contract/languages.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { trpc } from '../trpc.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Section, Skeleton } from '../ui/page/Page.tsx'
import { useRefusedHostnames, useSiteInput } from './api.ts'
import { keyOf, Mistake } from './Mistake.tsx'

const route = getRouteApi('/o/$tenant/sites/$site/integrate')
const REFRESH_MS = 15_000

/** The mistakes that the site's calls show, each with the lines to change in the language of the page or of the SDK in use. */
export function Doctor() {
  const { language } = route.useSearch()
  const { data, error, isFetching, refetch } = useQuery(
    trpc.sites.doctor.queryOptions(
      { ...useSiteInput(), ...(language && { language: language === 'wordpress' ? 'php' : language }) },
      { refetchInterval: REFRESH_MS, placeholderData: (former) => former },
    ),
  )
  const { hash } = useLocation()
  const linked = data?.findings.find(({ mistake }) => mistake === hash)
  useFocusOnce(useIntegrationLoaded() && linked ? hash : undefined)
  if (error && !data) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
  return (
    <Section
      title="Likely mistakes"
      description={
        <>
          {data?.findings.length === 0
            ? `No mistakes in the calls of the last ${data.days} days.`
            : `Seen in the calls of the last 7 days${data ? `, with the lines to change in ${LANGUAGES[data.language]}${data.sdk === data.language ? ', the SDK in use' : ''}` : ''}.`}{' '}
          <DocsLink page="sdk-node#the-doctor">Check from outside too</DocsLink>
        </>
      }
    >
      {data?.findings.length !== 0 && (
        <ul aria-busy={!data} className="grid gap-3">
          {data ? (
            data.findings.map((finding) => (
              <Mistake key={keyOf(finding)} finding={finding} id={finding === linked ? hash : undefined} />
            ))
          ) : (
            <li className="rounded-panel border border-line bg-surface px-4 py-3">
              <Skeleton width="long" />
            </li>
          )}
        </ul>
      )}
    </Section>
  )
}

/** Whether what is above on the page has its height. */
function useIntegrationLoaded(): boolean {
  const integration = useQuery(trpc.sites.integration.queryOptions(useSiteInput()))
  const hosts = useRefusedHostnames(REFRESH_MS)
  return !integration.isPending && !hosts.isPending
}

/** Scrolls to the element with the id and focuses it, once for each id. */
function useFocusOnce(id: string | undefined): void {
  const former = useRef<string>(undefined)
  useEffect(() => {
    if (id === undefined || former.current === id) return
    let frame = 0
    const attempt = () => {
      const element = document.getElementById(id)
      element?.focus({ preventScroll: true })
      // not as long as it is hidden, because a part of the page still loads
      if (document.activeElement !== element) frame = requestAnimationFrame(attempt)
      else {
        former.current = id
        element?.scrollIntoView()
      }
    }
    attempt()
    return () => cancelAnimationFrame(frame)
  }, [id])
}
