import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import type { Permission } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { attentionOptions } from '../overview/api.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { codeOf } from '../ui/page/errorMessage.ts'
import { Page, Skeleton } from '../ui/page/Page.tsx'
import { TabLink, TabNav } from '../ui/page/Tabs.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { useSiteInput, useSiteQuery } from './api.ts'
import { SiteStatePill } from './SiteParts.tsx'

const PAGE_TITLES: Readonly<Record<string, string>> = {
  keys: 'Keys',
  hostnames: 'Hostnames',
  networks: 'Networks',
  integrate: 'Integrate',
  settings: 'Settings',
}

/** The layout of a site's pages: name, state, key and tabs. */
export function Site() {
  const { slug, name } = useTenant()
  const { site: id } = useSiteInput()
  const { data: site, error, isFetching, refetch } = useSiteQuery()
  const page = useLocation().pathname.split('/').at(5) ?? ''

  if (error && codeOf(error) === 'NOT_FOUND')
    return (
      <Page title="Site not found" context={name}>
        <EmptyState
          title="This site doesn’t exist"
          action={
            <PageLink to="/o/$tenant/sites" params={{ tenant: slug }}>
              All sites
            </PageLink>
          }
        >
          There is no such site in {name}. It may have been deleted.
        </EmptyState>
      </Page>
    )
  if (!site && error)
    return (
      <Page title="Site" context={name}>
        <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
      </Page>
    )
  return (
    <Page
      title={site?.name ?? 'Site'}
      context={[PAGE_TITLES[page], name].filter(Boolean).join(' · ')}
      description={
        <span className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
          {site ? (
            <>
              <SiteStatePill paused={site.paused} />
              <CopyText text={site.sitekey} name="site key" />
            </>
          ) : (
            <Skeleton width="long" />
          )}
        </span>
      }
    >
      <SiteTabs tenant={slug} site={id} />
      {site && <Outlet />}
    </Page>
  )
}

/** Each shows a tab besides the overview. */
const TAB_PERMISSIONS = [
  'secret.read',
  'hostname.read',
  'network.read',
  'integration.read',
  'settings.read',
] as const satisfies readonly Permission[]

function SiteTabs(params: { tenant: string; site: string }) {
  const { may } = useTenant()
  const { data: attention } = useQuery(attentionOptions(params.tenant))
  const hasErrors = attention?.some(({ id, errors }) => id === params.site && errors.length > 0)
  if (!TAB_PERMISSIONS.some(may)) return null
  return (
    <TabNav label="Pages of the site">
      <TabLink to="/o/$tenant/sites/$site" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        Overview
      </TabLink>
      {may('secret.read') && (
        <TabLink to="/o/$tenant/sites/$site/keys" params={params}>
          Keys
        </TabLink>
      )}
      {may('hostname.read') && (
        <TabLink to="/o/$tenant/sites/$site/hostnames" params={params}>
          Hostnames
        </TabLink>
      )}
      {may('network.read') && (
        <TabLink to="/o/$tenant/sites/$site/networks" params={params}>
          Networks
        </TabLink>
      )}
      {may('integration.read') && (
        <TabLink to="/o/$tenant/sites/$site/integrate" params={params}>
          Integrate
          {hasErrors && (
            <>
              <span aria-hidden className="ml-1.5 size-1.5 rounded-full bg-block" />
              <span className="sr-only">, needs attention</span>
            </>
          )}
        </TabLink>
      )}
      {may('settings.read') && (
        <TabLink to="/o/$tenant/sites/$site/settings" params={params}>
          Settings
        </TabLink>
      )}
    </TabNav>
  )
}
