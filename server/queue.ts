import type { Task } from 'graphile-worker'
import { JOBS, type JobName } from './contract/jobs.ts'
import type { Context } from './kit/context.ts'
import { sendEmail } from './kit/queue/email.ts'
import type { Task as Scheduled } from './ledger/system/timetable.ts'

/** The jobs that only `enqueue` starts. Those that the timetable starts as well are in jobs.ts. */
type QueuedName = Exclude<JobName, Scheduled>

/**
 * What runs each queued job. It throws if the job has failed, which repeats it, and runs again if the process ended before the
 * end was stored.
 */
export const queuedTasks = (ctx: Context) =>
  ({
    send_email: (payload) => sendEmail(ctx, JOBS.send_email.parse(payload)),
  }) satisfies Record<QueuedName, Task>
