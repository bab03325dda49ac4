import { Chart } from '../ui/chart/Chart.tsx'
import { type ChartData, type Series, stepName } from '../ui/chart/chartData.ts'
import { Skeleton } from '../ui/page/Page.tsx'
import { Tabs } from '../ui/page/Tabs.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { useZone, type Zone } from '../ui/text/zone.ts'
import { SolveTimes } from './SolveTimes.tsx'
import type { UsageSeries } from './useSeries.ts'
import { duration, hashes } from './words.ts'

export const CHARTS = { outcomes: 'Outcomes', time: 'Solve time', work: 'Difficulty' } as const
export type ChartName = keyof typeof CHARTS

type Pick = (range: { from: number; to: number }) => void

/** The charts of the period. A click on a step opens its decisions. */
export function Charts({
  series,
  shown,
  onShow,
  onPick,
}: {
  series: UsageSeries | undefined
  shown: ChartName
  onShow: (chart: ChartName) => void
  onPick: Pick | undefined
}) {
  const zone = useZone()
  return (
    <Tabs label="Charts" value={shown} onChange={onShow} tabs={CHARTS}>
      {/* leaves room for the legend and the table's summary, so that nothing below moves */}
      <div className="min-h-80">
        {!series ? (
          <div className="grid h-80 place-items-center">
            <Skeleton width="long" />
          </div>
        ) : shown === 'outcomes' ? (
          <Outcomes series={series} zone={zone} onPick={onPick} />
        ) : shown === 'time' ? (
          <Times series={series} onPick={onPick} />
        ) : (
          <Work series={series} onPick={onPick} />
        )}
      </div>
    </Tabs>
  )
}

type Props = { series: UsageSeries; onPick: Pick | undefined }

const dataOf = ({ points, step }: UsageSeries, series: readonly Series[]): ChartData => ({
  times: points.map(({ at }) => at),
  step,
  series,
})

const picking = (onPick: Pick | undefined) => (onPick ? { onPick } : {})

function Outcomes({ series, zone, onPick }: Props & { zone: Zone }) {
  const { points, totals, step } = series
  const busiest = points.reduce((a, b) => (b.redeemed > a.redeemed ? b : a), points[0] ?? { at: 0, redeemed: 0 })
  const summary =
    totals.intents + totals.redeemed + totals.refused === 0
      ? 'No traffic in this period.'
      : `${counted(totals.redeemed, 'completed verification')}, ${whole(Math.max(0, totals.intents - totals.redeemed))} not completed, ${counted(totals.refused, 'refused request')}. Peak: ${stepName(busiest.at, step, zone)}, with ${whole(busiest.redeemed)}.`
  return (
    <Chart
      label="Outcomes"
      summary={summary}
      kind="areas"
      {...picking(onPick)}
      data={dataOf(series, [
        { name: 'refused', tone: 'block', values: points.map(({ refused }) => refused) },
        {
          name: 'not completed',
          tone: 'challenge',
          values: points.map(({ intents, redeemed }) => Math.max(0, intents - redeemed)),
        },
        { name: 'completed', tone: 'pass', values: points.map(({ redeemed }) => redeemed) },
      ])}
    />
  )
}

function Times({ series, onPick }: Props) {
  const { points, solveTime } = series
  const { p50, p95, n } = solveTime.all
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Chart
        label="Solve time"
        summary={
          p50 === null || p95 === null
            ? 'No solved challenges in this period.'
            : `Median ${duration(p50)}, 95th percentile ${duration(p95)}, of ${whole(n)} completed verifications with a challenge.`
        }
        kind="lines"
        format={duration}
        {...picking(onPick)}
        data={dataOf(series, [
          { name: '95th percentile', tone: 'ink', values: points.map((point) => point.p95) },
          { name: 'median', tone: 'brand', values: points.map((point) => point.p50) },
        ])}
      />
      <SolveTimes times={solveTime} />
    </div>
  )
}

function Work({ series, onPick }: Props) {
  const { points } = series
  const values = points.flatMap(({ work }) => (work === null ? [] : [work]))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return (
    <Chart
      label="Difficulty"
      summary={
        values.length === 0
          ? 'No solved challenges in this period.'
          : least === most
            ? `Median difficulty: ${hashes(most)} hashes throughout.`
            : `Median difficulty: ${hashes(least)} to ${hashes(most)} hashes. Busy networks, busy subjects and traffic spikes raise it.`
      }
      kind="lines"
      format={hashes}
      {...picking(onPick)}
      data={dataOf(series, [{ name: 'median expected hashes', tone: 'brand', values: points.map(({ work }) => work) }])}
    />
  )
}
