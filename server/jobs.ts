import { Logger, run } from 'graphile-worker'
import { sweepIntents } from './captcha/intents/sweep.ts'
import type { Opened } from './kit/service.ts'
import { forgetNetworks } from './ledger/decisions/forgetNetworks.ts'
import { reconcile } from './ledger/quota/reconcile.ts'

/** Minute, hour, day, month, weekday, in UTC. Each run of a job happens on one node of the deployment. */
const TIMETABLE = `
7 * * * * sweep_intents
23 3 * * * forget_networks
41 4 * * * reconcile
`

/** Starts what the service does by itself. Each job is a verb of some room, and may be run again at any time. */
export async function startJobs({ ctx, database }: Opened): Promise<{ close(): Promise<void> }> {
  const runner = await run({
    pgPool: database.pool,
    concurrency: 1,
    noHandleSignals: true,
    crontab: TIMETABLE,
    logger: new Logger(() => (level, message) => {
      if (['error', 'warning'].includes(level)) ctx.log.warn({ job: message }, 'jobs')
    }),
    taskList: {
      sweep_intents: async () => void (await sweepIntents(ctx)),
      forget_networks: async () => void (await forgetNetworks(ctx)),
      reconcile: async () => {
        const { mismatches } = await reconcile(ctx)
        if (mismatches.length > 0) ctx.log.error({ mismatches }, 'charges and decisions do not match')
      },
    },
  })
  return { close: () => runner.stop() }
}
