import { type Marks, marksOf } from '../incidents/marks.ts'
import { Chart } from '../ui/chart/Chart.tsx'
import { ChartSkeleton } from '../ui/chart/ChartSkeleton.tsx'
import type { Tone } from '../ui/chart/chartData.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Section } from '../ui/page/Page.tsx'
import { counted, whole } from '../ui/text/format.ts'
import {
  currentMonth,
  daysOfMonth,
  type StatementData,
  unitsByDay,
  unitsBySite,
  useIncidents,
  useStatement,
} from './api.ts'
import { SiteUnits } from './SiteUnits.tsx'

/** The number of sites shown separately; the others are combined. */
const SITES_SHOWN = 4
const TONES: readonly Tone[] = ['brand', 'info', 'challenge', 'pass', 'ink']

/** The month's units by site and day. */
export function ByDay() {
  const { data, error, isFetching, refetch } = useStatement(currentMonth())
  const incidents = useIncidents(currentMonth())
  // the chart is complete when it is shown, so that its legend moves nothing
  const isComplete = data && !incidents.isPending
  return (
    <Section title="By site and day" description={data?.price ? `Units cost ${data.price}.` : undefined}>
      {error && !data ? (
        <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="min-h-80">
            {isComplete ? <UnitsChart statement={data} incidents={incidents.data ?? []} /> : <ChartSkeleton />}
          </div>
          <SiteUnits statement={data} />
        </div>
      )}
    </Section>
  )
}

function UnitsChart({ statement, incidents }: { statement: StatementData; incidents: Marks['incidents'] }) {
  const days = daysOfMonth(statement.month)
  const units = statement.quota + statement.balance
  const [top] = unitsBySite(statement)
  const summary = top
    ? `${counted(units, 'unit')} so far, ${whole(Math.round(units / Math.max(1, days.length)))} a day. ${top.name} used most: ${whole(top.units)}. Days are in UTC.`
    : 'No units used this month yet.'
  const series = unitsByDay(statement, days, SITES_SHOWN).map(({ name, values }, index) => ({
    name,
    values,
    tone: TONES[index] ?? 'ink',
  }))
  const marks = marksOf({ changes: [], incidents })
  return (
    <Chart label="Units by day" summary={summary} kind="areas" data={{ times: days, step: 86_400, series, marks }} />
  )
}
