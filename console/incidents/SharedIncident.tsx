import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { trpc } from '../trpc.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { codeOf } from '../ui/page/errorMessage.ts'
import { Page, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { elapsed } from '../ui/text/format.ts'
import { Time } from '../ui/text/Time.tsx'
import { IncidentChart } from './IncidentChart.tsx'
import { doneOf, honestWaitOf, summaryOf } from './words.ts'

/** The figures of an incident, for anyone who has its link. */
export function SharedIncident() {
  const { token } = useParams({ from: '/public/i/$token' })
  const { data, error, isFetching, refetch } = useQuery(trpc.incidents.shared.queryOptions({ token }))
  if (codeOf(error) === 'NOT_FOUND')
    return (
      <Page title="Incident not found">
        <EmptyState title="This link leads to no incident">It was ended, or its address is not complete.</EmptyState>
      </Page>
    )
  if (error && !data) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
  return (
    <Page
      title={data?.subject ?? 'Incident'}
      description={
        data ? (
          <>
            <Time at={data.startedAt} as="zoned" />
            {data.endedAt === null ? ', not over yet' : `, for ${elapsed(data.endedAt - data.startedAt)}`}
          </>
        ) : (
          <Skeleton width="long" />
        )
      }
    >
      {data && (
        <p className="max-w-160 text-14">
          {summaryOf(data)} {doneOf(data)} Visitors who show no sign of automation waited {honestWaitOf(data)}.
        </p>
      )}
      <IncidentChart incident={data} />
    </Page>
  )
}
