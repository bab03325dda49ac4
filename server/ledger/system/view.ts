import type { Context } from '../../kit/context.ts'
import type { Db } from '../../kit/db/transact.ts'
import type { Facts } from '../overview.ts'
import { ASKED_RECONCILIATION, type LastReconciliation, lastReconciliation } from '../quota/recordReconciliation.ts'
import { type JobState, listJobs } from './jobs.ts'

/** This node and its database. Sizes are in bytes, times in Unix seconds. */
export type SystemView = {
  version: string
  mode: Facts['mode']
  process: {
    node: string
    platform: string
    pid: number
    startedAt: number
    memory: number
    heapUsed: number
  }
  database: {
    kind: Facts['database']
    version: string
    size: number
    connections: number
    maxConnections: number
    /** How many are applied, and the latest. */
    migrations: { applied: number; latest: string | null }
  }
  jobs: JobState[]
  reconciliation: LastReconciliation | null
  /** Whether one that was asked for waits or runs. */
  reconciling: boolean
  /** Whether limits are shared through Redis. */
  limits: 'local' | 'shared' | 'away'
}

type DatabaseState = { version: string; size: number; connections: number; maxConnections: number }

/** The system page, for staff who investigate a problem. */
export async function viewSystem(ctx: Db & Pick<Context, 'limiter'>, facts: Facts): Promise<SystemView> {
  const [[database], [migrations], jobs, reconciliation, [asked]] = await Promise.all([
    ctx.prisma.$queryRaw<DatabaseState[]>`
      select split_part(current_setting('server_version'), ' ', 1) as version, pg_database_size(current_database())::float8 as size,
        (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
        current_setting('max_connections')::int as "maxConnections"`,
    ctx.prisma.$queryRaw<SystemView['database']['migrations'][]>`
      select count(*)::int as applied, max(migration_name) as latest from _prisma_migrations where rolled_back_at is null`,
    listJobs(ctx),
    lastReconciliation(ctx),
    ctx.prisma.$queryRaw<{ waits: boolean }[]>`
      select exists (
        select from graphile_worker.jobs
        where key = ${ASKED_RECONCILIATION} and (attempts < max_attempts or locked_at is not null)
      ) as waits`,
  ])
  if (!database || !migrations || !asked) throw new Error('a row of scalars is missing')
  const memory = process.memoryUsage()
  return {
    version: facts.version,
    mode: facts.mode,
    process: {
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      pid: process.pid,
      startedAt: facts.startedAt,
      memory: memory.rss,
      heapUsed: memory.heapUsed,
    },
    database: { kind: facts.database, ...database, migrations },
    jobs,
    reconciliation,
    reconciling: asked.waits,
    limits: ctx.limiter.state(),
  }
}
