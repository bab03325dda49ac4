import { Button } from '../ui/form/Button.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { Copy } from '../ui/text/Copy.tsx'
import { elapsed } from '../ui/text/format.ts'
import { Outcome } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type OverviewQuery, type Problem, problemOf } from './api.ts'

/** The status of the service in a line, refreshed every 10 s. After a failure no outdated values are shown. */
export function Status({ overview }: { overview: OverviewQuery }) {
  const { data, isError, isPending, dataUpdatedAt, errorUpdatedAt } = overview
  const problem = problemOf(overview)
  return (
    <section aria-labelledby="status">
      <h2 id="status" className="sr-only">
        Status
      </h2>
      {problem && (
        <ProblemNotice problem={problem} retrying={overview.isFetching} onRetry={() => void overview.refetch()} />
      )}
      <p aria-busy={isPending} className="flex flex-wrap gap-x-4 gap-y-1 text-13 text-ink-2">
        {isPending ? (
          <Skeleton width="long" />
        ) : data && !isError ? (
          <>
            <Outcome is={problem ? 'challenge' : 'pass'} word={problem?.word ?? 'Running'} />
            <span>{`${data.database.kind} PostgreSQL ${data.database.version}`.trim()}</span>
            <span>up {elapsed(dataUpdatedAt / 1000 - data.startedAt)}</span>
            <span>version {data.version}</span>
          </>
        ) : (
          <>
            <Outcome is="block" word={problem?.word ?? 'Failing'} />
            <span>
              checked at <Time at={errorUpdatedAt / 1000} as="clock" />
            </span>
          </>
        )}
      </p>
    </section>
  )
}

/** Says what is wrong and what to do. The request id is not announced, because it changes with each retry. */
function ProblemNotice({ problem, retrying, onRetry }: { problem: Problem; retrying: boolean; onRetry: () => void }) {
  return (
    <div className="mb-4 rounded-panel border border-block bg-block-bg p-4">
      <div role="alert">
        <p className="font-semibold">{problem.title}</p>
        <p className="mt-1 max-w-136 text-13 text-pretty">{problem.advice}</p>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={onRetry}>{retrying ? 'Retrying…' : 'Retry now'}</Button>
        {problem.requestId !== null && (
          <p className="flex flex-wrap items-center gap-x-3 text-12">
            Request <code className="font-mono wrap-anywhere">{problem.requestId}</code>
            <span className="-ml-2">
              <Copy text={problem.requestId} name="request id" />
            </span>
          </p>
        )}
      </div>
    </div>
  )
}
