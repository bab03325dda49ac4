import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { elapsed } from '../ui/text/elapsed.ts'
import { Outcome } from '../ui/text/Outcome.tsx'
import { Time } from '../ui/text/Time.tsx'
import { FaultNotice } from './FaultNotice.tsx'
import { type Fault, faultOf, type Overview, type OverviewQuery } from './overview.ts'

const FIGURES = ['Service', 'Database', 'Uptime', 'Version'] as const

/** The status of the service, refreshed every 10 s. After a failure no outdated values are shown. */
export function Status({ overview }: { overview: OverviewQuery }) {
  const fault = faultOf(overview)
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
          <Known overview={overview.data} fault={fault} at={refreshedAt} />
        ) : (
          <Unknown fault={fault} at={overview.errorUpdatedAt / 1000} />
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
      {fault && <FaultNotice fault={fault} retrying={overview.isFetching} onRetry={() => void overview.refetch()} />}
    </section>
  )
}

function Known({ overview, fault, at }: { overview: Overview; fault: Fault | null; at: number }) {
  const { database, startedAt, version, mode } = overview
  return (
    <>
      <Figure
        name="Service"
        value={<Outcome is={fault ? 'challenge' : 'pass'} word={fault?.word ?? 'Running'} />}
        note={fault ? 'waiting for the database' : 'accepting verifications'}
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

function Unknown({ fault, at }: { fault: Fault | null; at: number }) {
  const service = <Outcome is="block" word={fault?.word ?? 'Failing'} />
  const asked = (
    <>
      checked at <Time at={at} as="clock" />
    </>
  )
  return FIGURES.map((name) => (
    <Figure
      key={name}
      name={name}
      value={name === 'Service' ? service : <span className="font-normal text-ink-3">Unknown</span>}
      note={name === 'Service' && asked}
    />
  ))
}

function Loading() {
  return FIGURES.map((name) => (
    <Figure key={name} name={name} value={<Skeleton width="short" />} note={<Skeleton width="long" />} />
  ))
}
