import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTenant } from '../frame/useTenant.ts'
import { Traffic } from '../traffic/Traffic.tsx'
import { trpc } from '../trpc.ts'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { Page } from '../ui/page/Page.tsx'
import { outlook } from '../usage/outlook.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { SitesByTraffic } from './SitesByTraffic.tsx'
import { summaryOptions } from './summary.ts'

const route = getRouteApi('/o/$tenant/')

/** The tenant's traffic, quota outlook, sites, and the checklist until the first verification. */
export function Overview() {
  const { slug, name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: summary } = useQuery(summaryOptions(slug))
  // kept up to date by the sidebar's meter
  const { data: meter } = useQuery(trpc.usage.meter.queryOptions({ tenant: slug }))
  const { period, from, to } = search
  return (
    <Page
      title="Overview"
      context={name}
      description={meter && outlook(meter)}
      actions={
        <PeriodPicker
          search={search}
          onChange={(chosen) => void navigate({ search: (now) => ({ ...now, ...chosen }) })}
        />
      }
    >
      {summary && !summary.done.decision && <FirstSteps done={summary.done} />}
      <Traffic
        search={search}
        onChart={(chart) => void navigate({ search: (now) => ({ ...now, chart }), resetScroll: false })}
      />
      <SitesByTraffic search={{ period, from, to }} />
    </Page>
  )
}
