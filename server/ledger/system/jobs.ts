import type { Db } from '../../kit/db/transact.ts'
import { nextRun, TIMETABLE } from './timetable.ts'

/** Times are Unix seconds. */
export type JobState = {
  task: string
  /** `waiting`: it has not been due yet. `overdue`: no node has taken up its last run. `failing`: see `failing`. */
  state: 'healthy' | 'waiting' | 'overdue' | 'failing'
  /** The last scheduled run; null before the first, or if no node runs jobs. */
  lastRunAt: number | null
  nextRunAt: number | null
  /** A run that failed and will be retried, or was abandoned. */
  failing: { attempts: number; maxAttempts: number; error: string } | null
}

/** After this many seconds a run that no node has taken up is overdue. */
const OVERDUE = 600

/** The jobs of the timetable: last run, next run and failure of each. */
export async function listJobs(ctx: Db): Promise<JobState[]> {
  const [runs, failures] = await Promise.all([runsOf(ctx), failuresOf(ctx)])
  const now = Date.now() / 1000
  return TIMETABLE.map(({ task, at }) => {
    const failure = failures.find((row) => row.task === task)
    const run = runs.find((row) => row.task === task)
    const lastRunAt = run?.at ?? null
    const due = run === undefined ? 0 : (nextRun(at, run.at ?? run.since) ?? now)
    return {
      task,
      state: failure ? 'failing' : due + OVERDUE < now ? 'overdue' : lastRunAt === null ? 'waiting' : 'healthy',
      lastRunAt,
      nextRunAt: nextRun(at, now),
      failing: failure
        ? { attempts: failure.attempts, maxAttempts: failure.maxAttempts, error: failure.error.slice(0, 500) }
        : null,
    }
  })
}

const runsOf = ({ prisma }: Db) => prisma.$queryRaw<{ task: string; at: number | null; since: number }[]>`
  select identifier as task, floor(extract(epoch from last_execution))::float8 as at,
    floor(extract(epoch from known_since))::float8 as since
  from graphile_worker._private_known_crontabs`

const failuresOf = ({ prisma }: Db) => prisma.$queryRaw<
  { task: string; attempts: number; maxAttempts: number; error: string }[]
>`
  select task_identifier as task, attempts::int as attempts, max_attempts::int as "maxAttempts", last_error as error
  from graphile_worker.jobs where last_error is not null order by updated_at desc`
