import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { LANGUAGES } from '../../server/contract/languages.ts'
import { trpc } from '../trpc.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Section } from '../ui/page/Page.tsx'
import { useDoctor, useRefusedHostnames, useSiteInput } from './api.ts'
import { keyOf, Mistake } from './Mistake.tsx'

const route = getRouteApi('/o/$tenant/sites/$site/integrate')
const REFRESH_MS = 15_000

/** The mistakes that the site's calls show, each with the lines to change. Nothing without any. */
export function Doctor() {
  const { language } = route.useSearch()
  const { data, error, isFetching, refetch } = useDoctor(language)
  const { hash } = useLocation()
  const linked = data?.findings.find(({ mistake }) => mistake === hash)
  useFocusOnce(useIntegrationLoaded() && linked ? hash : undefined)
  if (error && !data) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
  if (!data || data.findings.length === 0) return null
  return (
    <Section
      title="Likely mistakes"
      description={`Seen in the calls of the last ${data.days} days, with the lines to change in ${LANGUAGES[data.language]}${data.sdk === data.language ? ', the SDK in use' : ''}.`}
    >
      <ul className="grid gap-3">
        {data.findings.map((finding) => (
          <Mistake key={keyOf(finding)} finding={finding} id={finding === linked ? hash : undefined} />
        ))}
      </ul>
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
