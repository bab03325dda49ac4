import type { inferOutput } from '@trpc/tanstack-react-query'
import type { trpc } from '../trpc.ts'
import { Chart } from '../ui/chart/Chart.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { marksOf } from './marks.ts'
import { trafficOf } from './words.ts'

type Summary = inferOutput<typeof trpc.incidents.get>
type IncidentTraffic = Pick<Summary, 'points' | 'step' | 'startedAt' | 'endedAt' | 'phases'> &
  Partial<Pick<Summary, 'id' | 'changes'>>

/** The traffic of an incident by its outcome; changes of the site are marked, if they are known. */
export function IncidentChart({ incident }: { incident: IncidentTraffic | undefined }) {
  if (!incident)
    return (
      <div className="grid h-80 place-items-center">
        <Skeleton width="long" />
      </div>
    )
  const { id = 'incident', points, step, changes = [], startedAt, endedAt, phases } = incident
  const during = phases.find(({ name }) => name === 'during')
  return (
    <Chart
      label="Traffic around the incident"
      summary={during ? trafficOf(during) : ''}
      kind="areas"
      data={{
        times: points.map(({ at }) => at),
        step,
        series: [
          { name: 'refused', tone: 'block', values: points.map(({ refused }) => refused) },
          { name: 'completed, challenge raised', tone: 'challenge', values: points.map(({ raised }) => raised) },
          {
            name: 'completed',
            tone: 'pass',
            values: points.map(({ completed, raised }) => completed - raised),
          },
        ],
        marks: marksOf({ changes, incidents: [{ id, siteName: null, from: startedAt, to: endedAt }] }),
      }}
    />
  )
}
