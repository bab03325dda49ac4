import type { Context, Resource } from '../context.ts'
import { AppError } from '../error.ts'
import { Slots } from '../limits/slots.ts'
import type { HotPool } from './db.ts'

/** Of the hot pool's connections, those that statements of one tenant outside the batch queues may use at the same time. */
const RUNNING = 4
const WAITING = 500
/** As long as the hot pool waits for a connection. */
const WAIT_MS = 1500

const SHARES: Resource<Slots> = {
  name: 'shares of the hot pool',
  make: () => new Slots({ running: RUNNING, waiting: WAITING }),
}

/**
 * The hot pool for one tenant: a few connections at the same time, and more statements wait for them. So a tenant whose rows
 * are locked cannot take all connections. Beyond the waiting ones, throws the refusal `unavailable`.
 */
export function tenantPool(ctx: Pick<Context, 'hotPool' | 'resources'>, tenantId: string): HotPool {
  const shares = ctx.resources.of(SHARES)
  return {
    query(statement, values) {
      const began = performance.now()
      return shares.run(async () => {
        // its caller has waited as long as for a connection, and is answered before this could be
        if (performance.now() - began > WAIT_MS) throw new AppError('unavailable')
        return ctx.hotPool.query(statement, values)
      }, tenantId)
    },
  }
}
