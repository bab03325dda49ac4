import { useNavigate } from '@tanstack/react-router'
import { useTenant } from '../frame/useTenant.ts'
import { type PeriodSearch, useMovingRange } from '../ui/form/period.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { type ChartName, Charts } from './Charts.tsx'
import { Figures } from './Figures.tsx'
import { Funnel } from './Funnel.tsx'
import { NotVerifying } from './NotVerifying.tsx'
import { TopRefusals } from './TopRefusals.tsx'
import { useSeries } from './useSeries.ts'

/** The traffic of all sites or one: figures, charts, funnel and top errors. */
export function Traffic({
  site,
  search,
  onChart,
}: {
  site?: string
  search: PeriodSearch & { chart?: ChartName | undefined }
  onChart: (chart: ChartName | undefined) => void
}) {
  const { slug, may } = useTenant()
  const navigate = useNavigate()
  const { data: series, error, isFetching, refetch } = useSeries(useMovingRange(search), site)
  if (error && !series) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
  return (
    <>
      <NotVerifying totals={series?.totals} {...(site !== undefined && { site })} />
      <Figures series={series} />
      <Charts
        series={series}
        shown={search.chart ?? 'outcomes'}
        onShow={(chart) => onChart(chart === 'outcomes' ? undefined : chart)}
        onPick={
          may('decision.read')
            ? (range) =>
                void navigate({ to: '/o/$tenant/decisions', params: { tenant: slug }, search: { ...range, site } })
            : undefined
        }
      />
      <Funnel totals={series?.totals} />
      <TopRefusals refusals={series?.refusals} />
    </>
  )
}
