import type { Context, Resource } from '../context.ts'
import { AppError } from '../error.ts'
import { Slots } from '../limits/slots.ts'
import type { HotPool } from './db.ts'

/** Of the hot pool's connections, those that statements of one tenant outside the batch queues may use at the same time. */
const RUNNING = 4
const WAITING = 500
/** As long as the hot pool waits for a connection. */
const WAIT_MS = 1500

type Share = { slots: Slots; users: number }

const SHARES: Resource<Map<string, Share>> = { name: 'shares of the hot pool', make: () => new Map() }

/**
 * The hot pool for one tenant: a few connections at the same time, and more statements wait for them. So a tenant whose rows
 * are locked cannot take all connections. Beyond the waiting ones, throws the refusal `unavailable`.
 */
export function tenantPool(ctx: Pick<Context, 'hotPool' | 'resources'>, tenantId: string): HotPool {
  const shares = ctx.resources.of(SHARES)
  return {
    async query(statement, values) {
      const share = shares.get(tenantId) ?? { slots: new Slots({ running: RUNNING, waiting: WAITING }), users: 0 }
      shares.set(tenantId, share)
      share.users += 1
      try {
        const began = performance.now()
        return await share.slots.run(async () => {
          // its caller has waited as long as for a connection, and is answered before this could be
          if (performance.now() - began > WAIT_MS) throw new AppError('unavailable')
          return ctx.hotPool.query(statement, values)
        })
      } finally {
        share.users -= 1
        if (share.users === 0) shares.delete(tenantId)
      }
    },
  }
}
