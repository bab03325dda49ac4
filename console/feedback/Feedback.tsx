import { getRouteApi } from '@tanstack/react-router'
import { useSites } from '../decisions/useSites.ts'
import { useTenant } from '../frame/useTenant.ts'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { useRange } from '../ui/form/period.ts'
import { Select } from '../ui/form/Select.tsx'
import { FailurePanel } from '../ui/page/Failure.tsx'
import { Page } from '../ui/page/Page.tsx'
import { Breakdowns } from './Breakdowns.tsx'
import { Figures } from './Figures.tsx'
import { History } from './History.tsx'
import { OverTime } from './OverTime.tsx'
import { Reports } from './Reports.tsx'
import type { FeedbackSearch } from './search.ts'
import { useRates } from './useRates.ts'

const route = getRouteApi('/o/$tenant/feedback')

/** Feedback in figures, over time, by kind, and as a list of reports. */
export function Feedback() {
  const { name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = useRange(search)
  const sites = useSites()
  const { site, report } = search
  const { data: rates, error, isFetching, refetch } = useRates(range, site)
  const ask = (part: FeedbackSearch) => void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false })
  return (
    <Page
      title="Feedback"
      context={name}
      description="What your backend later reported about decisions. Reports don’t change decisions or block anyone; they show what slips through."
    >
      <div className="flex flex-wrap items-center gap-2">
        <PeriodPicker search={search} onChange={ask} />
        <Select
          label="Site"
          value={site ?? ''}
          onChange={(chosen) => ask({ site: chosen === '' ? undefined : chosen })}
          options={{ '': 'All sites', ...(site && { [site]: 'One site' }), ...sites }}
        />
      </div>
      {error && !rates ? (
        <FailurePanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <>
          <Figures rates={rates} />
          <OverTime rates={rates} site={site} />
          <Breakdowns rates={rates} site={site} />
        </>
      )}
      <Reports range={range} rates={rates} />
      <History decision={report} onClose={() => ask({ report: undefined })} />
    </Page>
  )
}
