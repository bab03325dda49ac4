import { useQuery } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Panel, Skeleton } from '../ui/page/Page.tsx'
import { DeleteSite } from './DeleteSite.tsx'
import { Permitted } from './Permitted.tsx'
import { PolicyForm } from './PolicyForm.tsx'
import { SiteName } from './SiteName.tsx'
import { useSite, useSiteInput } from './useSite.ts'

/** The site's name, policy and deletion. */
export function Settings() {
  const site = useSite()
  return (
    <Permitted to="site.write" title="You don’t have access to settings">
      <SiteName key={site.id} name={site.name} />
      <Permitted to="settings.read" title="You don’t have access to the policy">
        <Policy />
      </Permitted>
      <DeleteSite name={site.name} />
    </Permitted>
  )
}

function Policy() {
  const { data, error, isFetching, refetch } = useQuery(trpc.sites.policy.queryOptions(useSiteInput()))
  if (error && !data) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Panel title="Challenge policy">
        {/* as high as the form, so that what stands below does not move */}
        <div aria-busy className="min-h-240">
          <Skeleton width="long" />
        </div>
      </Panel>
    )
  return <PolicyForm policy={data} />
}
