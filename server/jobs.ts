import { Logger, run } from 'graphile-worker'
import { sendAlerts } from './accounts/plans/alerts/send.ts'
import { sweepAccounts } from './accounts/sweep.ts'
import { sweepIntents } from './captcha/intents/sweep.ts'
import type { Opened } from './kit/service.ts'
import { forgetNetworks } from './ledger/decisions/forgetNetworks.ts'
import { recordReconciliation } from './ledger/quota/recordReconciliation.ts'
import { sweepRefusals } from './ledger/refusals/sweep.ts'
import { type Task, TIMETABLE } from './ledger/system/timetable.ts'
import { forgetHours } from './ledger/usage/forgetHours.ts'
import { mendUsage } from './ledger/usage/mend.ts'

const CRONTAB = TIMETABLE.map(({ task, at }) => `${at} ${task}`).join('\n')

/** Starts what the service does by itself. Each job is a verb of some room, and may be run again at any time. */
export async function startJobs({ ctx, database }: Opened): Promise<{ close(): Promise<void> }> {
  const runner = await run({
    pgPool: database.pool,
    concurrency: 1,
    noHandleSignals: true,
    crontab: CRONTAB,
    logger: new Logger(() => (level, message) => {
      if (['error', 'warning'].includes(level)) ctx.log.warn({ job: message }, 'jobs')
    }),
    taskList: {
      sweep_intents: async () => void (await sweepIntents(ctx)),
      sweep_accounts: async () => void (await sweepAccounts(ctx)),
      forget_networks: async () => void (await forgetNetworks(ctx)),
      sweep_refusals: async () => void (await sweepRefusals(ctx)),
      forget_hours: async () => void (await forgetHours(ctx)),
      mend_usage: async () => void (await mendUsage(ctx, 3)),
      // feedback is taken for 7 days, and counted in the hour of its redemption
      mend_usage_of_days: async () => void (await mendUsage(ctx, 8 * 24)),
      send_alerts: async () => void (await sendAlerts(ctx)),
      reconcile: async () => {
        const { mismatches } = await recordReconciliation(ctx)
        if (mismatches.length > 0) ctx.log.error({ mismatches }, 'charges and decisions do not match')
      },
    } satisfies Record<Task, () => Promise<void>>,
  })
  return { close: () => runner.stop() }
}
