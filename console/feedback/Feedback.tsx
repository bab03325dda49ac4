import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { REPORT_RAISES_MS } from '../../server/contract/reports.ts'
import { useSiteNames, useTenant } from '../frame/useTenant.ts'
import type { FeedbackSearch } from '../routes/search.ts'
import { basisOf, change, changeOfShare, compared, shareOf } from '../traffic/words.ts'
import { Chart } from '../ui/chart/Chart.tsx'
import { ChartSkeleton } from '../ui/chart/ChartSkeleton.tsx'
import { stepName } from '../ui/chart/chartData.ts'
import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { type Range, useRange } from '../ui/form/period.ts'
import { Select } from '../ui/form/Select.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { counted, elapsed, percent, whole } from '../ui/text/format.ts'
import { useZone, type Zone } from '../ui/text/zone.ts'
import { type Rates, useRates } from './api.ts'
import { Breakdowns } from './Breakdowns.tsx'
import { History } from './History.tsx'
import { Reports } from './Reports.tsx'
import { fine, rateOf, reportedOf } from './words.ts'

const HOUR = 3600

const route = getRouteApi('/o/$tenant/feedback')

/** Feedback in figures, over time, by kind, and as a list of reports. */
export function Feedback() {
  const { name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = useRange(search)
  const sites = useSiteNames()
  const { site, report } = search
  const { data: rates, error, isFetching, refetch } = useRates(range, site)
  const setSearch = (part: FeedbackSearch) =>
    void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false })
  return (
    <Page
      title="Feedback"
      context={name}
      description={`What your backend later reported about decisions. Reports don’t change decisions or block anyone. Confirmed abuse raises the difficulty for its network at all your sites for about ${elapsed(REPORT_RAISES_MS / 1000)}.`}
    >
      <div className="flex flex-wrap items-center gap-2">
        <PeriodPicker search={search} onChange={setSearch} />
        <Select
          label="Site"
          value={site ?? ''}
          onChange={(chosen) => setSearch({ site: chosen === '' ? undefined : chosen })}
          options={{ '': 'All sites', ...(site && { [site]: 'One site' }), ...sites }}
        />
      </div>
      {error && !rates ? (
        <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <>
          <Figures rates={rates} basis={basisOf(range, rates?.comparable ?? true)} />
          <OverTime rates={rates} site={site} />
          <Breakdowns rates={rates} site={site} />
        </>
      )}
      <Reports range={range} rates={rates} />
      <History decision={report} onClose={() => setSearch({ report: undefined })} />
    </Page>
  )
}

/** Four figures of the period. `basis`: what changes are relative to; null if nothing is comparable. */
function Figures({ rates, basis }: { rates: Rates | undefined; basis: string | null }) {
  const value = (of: (rates: Rates) => string) => (rates ? of(rates) : <Skeleton width="short" />)
  const shown = (share: number | null) => (share === null ? '–' : fine(share))
  const [rate, rateBefore] = rates ? [rateOf(rates.totals), rateOf(rates.before)] : [null, null]
  const coverage = (all: Rates['totals']) => shareOf(reportedOf(all), all.redeemed)
  return (
    <Strip busy={!rates}>
      <Figure
        name="Abuse rate"
        value={value(({ totals }) => shown(rateOf(totals)))}
        note={rates ? compared(changeOfShare(rate, rateBefore), basis) : <Skeleton width="short" />}
      />
      <Figure
        name="Confirmed abuse"
        value={value(({ totals }) => whole(totals.confirmed_abuse))}
        note={value(({ totals, before }) => compared(change(totals.confirmed_abuse, before.confirmed_abuse), basis))}
      />
      <Figure
        name="Confirmed legitimate"
        value={value(({ totals }) => whole(totals.legitimate))}
        note={value(({ totals }) => `${whole(totals.unknown)} unknown`)}
      />
      <Figure
        name="Decisions with feedback"
        value={value(({ totals }) => whole(reportedOf(totals)))}
        note={value(({ totals }) => {
          const share = coverage(totals)
          return share === null
            ? 'no completed verifications'
            : `${percent(share)} of ${whole(totals.redeemed)} completed`
        })}
      />
    </Strip>
  )
}

/** The abuse rate over time. A click on a step offers its decisions. */
function OverTime({ rates, site }: { rates: Rates | undefined; site: string | undefined }) {
  const { slug } = useTenant()
  const navigate = useNavigate()
  const onZoom = (range: Range) =>
    void navigate({ to: '/o/$tenant/feedback', params: { tenant: slug }, search: { site, ...range } })
  const zone = useZone()
  const unit = rates?.step === HOUR ? 'hour' : 'day'
  return (
    <Section
      title="Abuse over time"
      description={`By the ${unit} of the verification and its latest report. Recent ${unit}s still rise as reports come in.`}
    >
      {/* leaves room for the legend and the table's summary, so that nothing below moves */}
      <div className="min-h-80">
        {rates && reportedOf(rates.totals) === 0 ? (
          <EmptyState title="No feedback in this period">
            Your backend reports what became of a verification, for example a sign-up that turned out to be abuse. Its
            share of the completed verifications appears here.
          </EmptyState>
        ) : rates ? (
          <Chart
            label="Abuse over time"
            summary={summaryOf(rates, zone)}
            kind="lines"
            format={fine}
            data={{
              times: rates.points.map(({ at }) => at),
              step: rates.step,
              series: [
                {
                  name: 'confirmed abuse, of completed verifications',
                  tone: 'block',
                  values: rates.points.map(rateOf),
                },
              ],
            }}
            menu={{
              onZoom,
              itemsAt(index) {
                const { at, confirmed_abuse } = rates.points[index] ?? { at: 0, confirmed_abuse: 0 }
                // the first and the last day may be partly outside the period
                const range = { from: Math.max(at, rates.from), to: Math.min(at + rates.step, rates.to) }
                const search = { ...range, outcome: 'confirmed_abuse' as const, ...(site && { site }) }
                const open = () => void navigate({ to: '/o/$tenant/decisions', params: { tenant: slug }, search })
                return [
                  { label: `${whole(confirmed_abuse)} confirmed abuse`, to: 'Decisions', run: open },
                  { label: 'Zoom in', run: () => onZoom(range) },
                ]
              },
            }}
          />
        ) : (
          <ChartSkeleton />
        )}
      </div>
    </Section>
  )
}

function summaryOf({ points, totals, step }: Rates, zone: Zone): string {
  const rate = rateOf(totals)
  if (rate === null) return 'No completed verifications in this period.'
  if (totals.confirmed_abuse === 0)
    return `No confirmed abuse among ${counted(totals.redeemed, 'completed verification')} in this period.`
  const worst = points.reduce((a, b) => ((rateOf(b) ?? 0) > (rateOf(a) ?? 0) ? b : a))
  return `${fine(rate)} of ${counted(totals.redeemed, 'completed verification')} were confirmed abuse. Peak: ${stepName(worst.at, step, zone)}, with ${whole(worst.confirmed_abuse)} of ${whole(worst.redeemed)}.`
}
