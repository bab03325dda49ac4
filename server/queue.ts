import type { Task } from 'graphile-worker'
import { deliverWebhook } from './accounts/webhooks/deliver.ts'
import { JOBS, type JobName } from './contract/jobs.ts'
import type { Context } from './kit/context.ts'
import type { Resolve } from './kit/http/outbound.ts'
import { sendEmail } from './kit/queue/email.ts'
import type { Task as Scheduled } from './ledger/system/timetable.ts'

/** The jobs that only `enqueue` starts. Those that the timetable starts as well are in jobs.ts. */
type QueuedName = Exclude<JobName, Scheduled>

/**
 * What runs each queued job. It throws if the job has failed, which repeats it, and runs again if the process ended before the
 * end was stored. `abortPromise` rejects five seconds after the process was asked to end: a job that has not ended then has
 * failed, or it would stay locked for four hours.
 */
export const queuedTasks = (ctx: Context) =>
  ({
    send_email: (payload, { abortPromise }) =>
      Promise.race([sendEmail(ctx, JOBS.send_email.parse(payload)), abortPromise]),
  }) satisfies Record<Exclude<QueuedName, 'send_webhook'>, Task>

/** Those that call other servers, with workers of their own: a slow one delays no e-mail. */
export const webhookTasks = (ctx: Context, resolve?: Resolve) =>
  ({
    send_webhook: (payload, { abortPromise }) =>
      Promise.race([deliverWebhook(ctx, { ...JOBS.send_webhook.parse(payload), resolve }), abortPromise]),
  }) satisfies Record<'send_webhook', Task>
