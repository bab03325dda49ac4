import { Logger, type RunnerOptions, run } from 'graphile-worker'
import { sendAlerts } from './accounts/plans/alerts/send.ts'
import { sweepAccounts } from './accounts/sweep.ts'
import { sweepWebhooks } from './accounts/webhooks/sweep.ts'
import { watchMistakes, watchWebhooks } from './accounts/webhooks/watch.ts'
import { sweepGrants } from './captcha/grants/sweep.ts'
import { watchIncidents } from './captcha/incidents/watch.ts'
import { sweepIntents } from './captcha/intents/sweep.ts'
import { sweepTests } from './captcha/intents/sweepTests.ts'
import { jobPool } from './jobPool.ts'
import type { Context } from './kit/context.ts'
import { JOB_RUNS } from './kit/process/jobRuns.ts'
import { paced } from './kit/process/pace.ts'
import type { Service } from './kit/service.ts'
import { archiveDecisions } from './ledger/archive/archiveDecisions.ts'
import { eraseOldAddresses } from './ledger/audit/eraseAddresses.ts'
import { deleteExpiredNetworks } from './ledger/decisions/deleteExpiredNetworks.ts'
import { recordReconciliation } from './ledger/quota/recordReconciliation.ts'
import { sweepRefusals } from './ledger/refusals/sweep.ts'
import { deleteAbandonedJobs } from './ledger/system/deleteAbandonedJobs.ts'
import { type Task, TIMETABLE } from './ledger/system/timetable.ts'
import { deleteExpiredHours } from './ledger/usage/deleteExpiredHours.ts'
import { repairUsage } from './ledger/usage/repair.ts'
import { queuedTasks, webhookTasks } from './queue.ts'

const CRONTAB = TIMETABLE.map(({ task, at }) => `${at} ${task}`).join('\n')

/** A tenant can have 10 endpoints. */
const WEBHOOK_WORKERS = 24

async function compareAll(ctx: Context, { full }: { full: boolean }): Promise<void> {
  const { mismatches, audit } = await recordReconciliation(ctx, { full, pace: paced })
  const { heads, faults } = audit
  if (mismatches.length > 0) ctx.log.error({ mismatches }, 'charges and decisions do not match')
  if (faults.length > 0) ctx.log.error({ faults }, 'the audit was changed: rows do not match their hash chain')
  // outside of the database, so that a chain that was written anew is noticed
  for (const head of heads) ctx.log.info({ head }, 'end of an audit chain')
}

/** The library's words for a connection on which it hears of new jobs. Without it, it looks for them every two seconds. */
const LISTENER = /^Error with notify listener/

/** Starts the jobs of the timetable and those of the queue. Each job is one function, and can run again at any time. */
export async function startJobs({ ctx, database }: Service): Promise<{ close(): Promise<void> }> {
  // on a machine under load, the first connection takes longer than the library waits for it
  await database.pool.query('select 1')
  const common: RunnerOptions = {
    pgPool: jobPool(database.pool),
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => {
      if (LISTENER.test(message)) ctx.log.debug({ job: message }, 'new jobs are noticed every two seconds only')
      // webhooks wait for other servers, most of the time without a connection
      else if (['error', 'warning'].includes(level) && !/smaller than concurrency/.test(message))
        ctx.log.warn({ job: message }, 'a job reported a problem')
    }),
  }
  const scheduled = await run({
    ...common,
    // a long job does not delay those of each minute
    concurrency: 2,
    crontab: CRONTAB,
    taskList: {
      sweep_intents: async () => void (await sweepIntents(ctx, paced)),
      sweep_tests: async () => void (await sweepTests(ctx, paced)),
      sweep_accounts: async () => void (await sweepAccounts(ctx, paced)),
      sweep_grants: async () => void (await sweepGrants(ctx, paced)),
      erase_old_addresses: async () => void (await eraseOldAddresses(ctx)),
      delete_expired_networks: async () => void (await deleteExpiredNetworks(ctx, paced)),
      sweep_refusals: async () => void (await sweepRefusals(ctx, paced)),
      delete_abandoned_jobs: async () => void (await deleteAbandonedJobs(ctx)),
      delete_expired_hours: async () => void (await deleteExpiredHours(ctx, paced)),
      repair_usage: async () => void (await repairUsage(ctx, 3, paced)),
      // feedback is accepted for 7 days and counted in the hour of the redemption
      repair_usage_of_days: async () => void (await repairUsage(ctx, 8 * 24, paced)),
      watch_webhooks: () => watchWebhooks(ctx),
      watch_mistakes: () => watchMistakes(ctx, paced),
      sweep_webhooks: async () => void (await sweepWebhooks(ctx)),
      watch_incidents: () => watchIncidents(ctx),
      send_alerts: () => sendAlerts(ctx),
      archive_decisions: async () => void (await archiveDecisions(ctx, paced)),
      reconcile: () => compareAll(ctx, { full: false }),
      reconcile_all: () => compareAll(ctx, { full: true }),
    } satisfies Record<Task, () => Promise<void>>,
  })
  // with connections of their own, so that an e-mail waits for no sweep, and no sweep for a mail server that hangs
  const tasks = queuedTasks(ctx)
  const queued = await run({ ...common, concurrency: 4, parsedCronItems: [], taskList: tasks })
  // one at a time for each endpoint, so that others have to wait only if as many are slow at once
  const hooks = webhookTasks(ctx)
  const webhooks = await run({ ...common, concurrency: WEBHOOK_WORKERS, parsedCronItems: [], taskList: hooks })
  const runners = [scheduled, queued, webhooks]
  const runs = ctx.resources.of(JOB_RUNS)
  runs.expect([...TIMETABLE.map(({ task }) => task), ...Object.keys(tasks), ...Object.keys(hooks)])
  for (const { events } of runners) {
    events.on('job:success', ({ job }) => runs.count(job.task_identifier, 'success'))
    events.on('job:error', ({ job }) => runs.count(job.task_identifier, 'failure'))
  }
  return { close: async () => void (await Promise.all(runners.map((each) => each.stop()))) }
}
