import { useTenant } from '../frame/useTenant.ts'
import { marksOf } from '../incidents/marks.ts'
import type { ChartName } from '../routes/search.ts'
import { Chart, type ChartMenu } from '../ui/chart/Chart.tsx'
import { type ChartData, type Series, stepName } from '../ui/chart/chartData.ts'
import type { Range } from '../ui/form/period.ts'
import { Section } from '../ui/page/Page.tsx'
import { Tabs } from '../ui/page/Tabs.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { useZone, type Zone } from '../ui/text/zone.ts'
import type { UsageSeries } from './api.ts'
import { duration, hashes } from './words.ts'

const CHARTS = { outcomes: 'Outcomes', time: 'Solve time', work: 'Difficulty' } satisfies Record<ChartName, string>

type List = 'decisions' | 'refusals'
type Actions = { onZoom: (range: Range) => void; onOpen: (list: List, range: Range) => void }

/** The charts of the period, in tabs if they can be chosen, else the outcomes. A click on a step offers what happened in it. */
export function Charts({
  series: all,
  shown,
  onShow,
  ...actions
}: {
  series: UsageSeries
  shown: ChartName
  onShow?: ((chart: ChartName) => void) | undefined
} & Actions) {
  const zone = useZone()
  const { may } = useTenant()
  // an incident is marked for those who can open it
  const series = may('decision.read') ? all : { ...all, marks: { ...all.marks, incidents: [] } }
  const menu = usePointMenu(series, actions)
  const chart = onShow ? shown : 'outcomes'
  // leaves room for the legend and the table's summary, so that nothing below moves
  const content = (
    <div className="min-h-80">
      {chart === 'outcomes' ? (
        <Outcomes series={series} zone={zone} menu={menu} />
      ) : chart === 'time' ? (
        <SolveTime series={series} menu={menu} />
      ) : (
        <Difficulty series={series} menu={menu} />
      )}
    </div>
  )
  if (!onShow) return <Section title={CHARTS.outcomes}>{content}</Section>
  return (
    <Tabs label="Charts" value={shown} onChange={onShow} tabs={CHARTS}>
      {content}
    </Tabs>
  )
}

/** What a step of a chart offers: the lists of what it shows, and itself alone. */
function usePointMenu(series: UsageSeries, { onZoom, onOpen }: Actions): ChartMenu {
  const { may } = useTenant()
  return {
    onZoom,
    itemsAt(index) {
      const point = series.points[index]
      if (!point) return []
      const { step } = series
      const range = { from: point.at, to: point.at + step }
      return [
        ...(may('decision.read') && point.redeemed > 0
          ? [{ label: `${whole(point.redeemed)} completed`, to: 'Decisions', run: () => onOpen('decisions', range) }]
          : []),
        ...(may('refusal.read') && point.refused > 0
          ? [{ label: `${whole(point.refused)} refused`, to: 'Refusals', run: () => onOpen('refusals', range) }]
          : []),
        ...(series.points.length > 1 ? [{ label: 'Zoom in', run: () => onZoom(range) }] : []),
      ]
    },
  }
}

type Props = { series: UsageSeries; menu: ChartMenu }

const dataOf = ({ points, step, marks }: UsageSeries, series: readonly Series[]): ChartData => ({
  times: points.map(({ at }) => at),
  step,
  series,
  marks: marksOf(marks),
})

function Outcomes({ series, zone, menu }: Props & { zone: Zone }) {
  const { points, totals, step } = series
  const busiest = points.reduce((a, b) => (b.redeemed > a.redeemed ? b : a), points[0] ?? { at: 0, redeemed: 0 })
  const summary =
    totals.intents + totals.redeemed + totals.refused === 0
      ? 'No traffic in this period.'
      : `${counted(totals.redeemed, 'completed verification')}, ${whole(Math.max(0, totals.intents - totals.redeemed))} not completed, ${counted(totals.refused, 'refused request')}.${busiest.redeemed === 0 ? '' : ` Busiest: ${stepName(busiest.at, step, zone)}, ${whole(busiest.redeemed)} completed.`}`
  return (
    <Chart
      label="Outcomes"
      summary={summary}
      kind="areas"
      menu={menu}
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

function SolveTime({ series, menu }: Props) {
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
        menu={menu}
        data={dataOf(series, [
          { name: '95th percentile', tone: 'ink', values: points.map((point) => point.p95) },
          { name: 'median', tone: 'brand', values: points.map((point) => point.p50) },
        ])}
      />
      <SolveTimeTable times={solveTime} />
    </div>
  )
}

function Difficulty({ series, menu }: Props) {
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
      menu={menu}
      data={dataOf(series, [{ name: 'median expected hashes', tone: 'brand', values: points.map(({ work }) => work) }])}
    />
  )
}

const DEVICES = { all: 'All', desktop: 'Desktops', mobile: 'Phones and tablets' } as const

/** Solve times by device. */
function SolveTimeTable({ times }: { times: UsageSeries['solveTime'] }) {
  return (
    <table aria-label="Solve time by device" className="w-full max-w-160 text-13">
      <thead>
        <tr className="border-b border-line text-12 text-ink-2">
          {['Device', 'Median', '95th percentile', 'Solved'].map((head, index) => (
            <th key={head} scope="col" className={`py-2 font-medium ${index === 0 ? 'text-left' : 'text-right'}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {Object.entries(DEVICES).map(([device, name]) => {
          const { n, p50, p95 } = times[device as keyof typeof DEVICES]
          return (
            <tr key={device}>
              <th scope="row" className="py-2 text-left font-normal">
                {name}
              </th>
              <td className="py-2 text-right">{p50 === null ? '–' : duration(p50)}</td>
              <td className="py-2 text-right">{p95 === null ? '–' : duration(p95)}</td>
              <td className="py-2 text-right">{whole(n)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
