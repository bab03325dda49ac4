import { Chart } from '../ui/Chart.tsx'
import type { ChartData, Series } from '../ui/chartData.ts'
import { stepName } from '../ui/chartData.ts'
import { counted, whole } from '../ui/number.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { useZone, type Zone } from '../ui/zone.ts'
import { SolveTimes } from './SolveTimes.tsx'
import type { UsageSeries } from './useSeries.ts'
import { duration, hashes } from './words.ts'

export const CHARTS = { outcomes: 'Outcomes', time: 'Solve time', work: 'Work' } as const
export type ChartName = keyof typeof CHARTS

type Pick = (range: { from: number; to: number }) => void

/** The period over time. A step opens the list of what is behind it. */
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
      {/* room for legend and table's fold as well, so that nothing below moves */}
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
      ? 'Nothing happened in this time.'
      : `${counted(totals.redeemed, 'redemption')}, ${whole(Math.max(0, totals.intents - totals.redeemed))} intents that were not redeemed, ${counted(totals.refused, 'refusal')}. Busiest: ${stepName(busiest.at, step, zone)}, with ${whole(busiest.redeemed)}.`
  return (
    <Chart
      label="Outcomes"
      summary={summary}
      kind="areas"
      {...picking(onPick)}
      data={dataOf(series, [
        { name: 'refused', tone: 'block', values: points.map(({ refused }) => refused) },
        {
          name: 'not redeemed',
          tone: 'challenge',
          values: points.map(({ intents, redeemed }) => Math.max(0, intents - redeemed)),
        },
        { name: 'redeemed', tone: 'pass', values: points.map(({ redeemed }) => redeemed) },
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
            ? 'Nothing was solved in this time.'
            : `Of ${whole(n)} that were solved and redeemed, half took at most ${duration(p50)}, and 95 % at most ${duration(p95)}.`
        }
        kind="lines"
        format={duration}
        {...picking(onPick)}
        data={dataOf(series, [
          { name: '95 % within', tone: 'ink', values: points.map((point) => point.p95) },
          { name: 'half within', tone: 'brand', values: points.map((point) => point.p50) },
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
      label="Work"
      summary={
        values.length === 0
          ? 'Nothing was solved in this time.'
          : least === most
            ? `The median challenge asked for ${hashes(most)} hashes all the time.`
            : `The median challenge asked for ${hashes(least)} to ${hashes(most)} hashes. Busy networks, subjects and attacks raise it.`
      }
      kind="lines"
      format={hashes}
      {...picking(onPick)}
      data={dataOf(series, [
        { name: 'expected hashes of the median challenge', tone: 'brand', values: points.map(({ work }) => work) },
      ])}
    />
  )
}
