import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { Button } from '../ui/form/Button.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { Copy } from '../ui/text/Copy.tsx'
import { elapsed } from '../ui/text/format.ts'
import { Outcome } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type Overview, type OverviewQuery, type Problem, problemOf } from './api.ts'

const FIGURES = ['Service', 'Database', 'Uptime', 'Version'] as const

/** The status of the service, refreshed every 10 s. After a failure no outdated values are shown. */
export function Status({ overview }: { overview: OverviewQuery }) {
  const problem = problemOf(overview)
  const refreshedAt = overview.dataUpdatedAt / 1000
  return (
    <section aria-labelledby="status">
      <h2 id="status" className="sr-only">
        Status
      </h2>
      <Strip busy={overview.isPending}>
        {overview.isPending ? (
          <Loading />
        ) : overview.data && !overview.isError ? (
          <Known overview={overview.data} problem={problem} at={refreshedAt} />
        ) : (
          <Unknown problem={problem} at={overview.errorUpdatedAt / 1000} />
        )}
      </Strip>
      <p className="mt-2 text-12 text-ink-3">
        {overview.isPending ? (
          'Checking the service…'
        ) : refreshedAt === 0 ? (
          'No response yet'
        ) : (
          <>
            {overview.isError ? 'Last updated at ' : 'Updated at '}
            <Time at={refreshedAt} as="clock" />
            {!overview.isError && ', refreshes every 10 s'}
          </>
        )}
      </p>
      {problem && (
        <ProblemNotice problem={problem} retrying={overview.isFetching} onRetry={() => void overview.refetch()} />
      )}
    </section>
  )
}

function Known({ overview, problem, at }: { overview: Overview; problem: Problem | null; at: number }) {
  const { database, startedAt, version, mode } = overview
  return (
    <>
      <Figure
        name="Service"
        value={<Outcome is={problem ? 'challenge' : 'pass'} word={problem?.word ?? 'Running'} />}
        note={problem ? 'waiting for the database' : 'accepting verifications'}
      />
      <Figure
        name="Database"
        value={<Outcome is={database.ok ? 'pass' : 'block'} word={database.ok ? 'Connected' : 'Unavailable'} />}
        note={`${database.kind} PostgreSQL ${database.version}`.trim()}
      />
      <Figure
        name="Uptime"
        value={elapsed(at - startedAt)}
        note={
          <>
            since <Time at={startedAt} />
          </>
        }
      />
      <Figure name="Version" value={version} note={mode} />
    </>
  )
}

function Unknown({ problem, at }: { problem: Problem | null; at: number }) {
  const service = <Outcome is="block" word={problem?.word ?? 'Failing'} />
  const checkedAt = (
    <>
      checked at <Time at={at} as="clock" />
    </>
  )
  return FIGURES.map((name) => (
    <Figure
      key={name}
      name={name}
      value={name === 'Service' ? service : <span className="font-normal text-ink-3">Unknown</span>}
      note={name === 'Service' && checkedAt}
    />
  ))
}

function Loading() {
  return FIGURES.map((name) => (
    <Figure key={name} name={name} value={<Skeleton width="short" />} note={<Skeleton width="long" />} />
  ))
}

/** Says what is wrong and what to do. The request id is not announced, because it changes with each retry. */
function ProblemNotice({ problem, retrying, onRetry }: { problem: Problem; retrying: boolean; onRetry: () => void }) {
  return (
    <div className="mt-4 rounded-panel border border-block bg-block-bg p-4">
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
