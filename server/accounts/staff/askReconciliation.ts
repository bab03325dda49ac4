import { AppError } from '../../kit/error.ts'
import type { Rule } from '../../kit/limits/limiter.ts'
import { enqueue } from '../../kit/queue/enqueue.ts'
import { ASKED_RECONCILIATION } from '../../ledger/quota/recordReconciliation.ts'
import type { StaffCtx } from '../access.ts'
import { change } from '../change.ts'

/** It reads all decisions, so it runs at most once a minute. */
const ONCE_A_MINUTE: Rule = { name: 'reconcile', points: 1, duration: 60 }

/** Lets the next free node compare the charges with the decisions now. The result is shown on the system page. Throws AppError. */
export async function askReconciliation(ctx: StaffCtx): Promise<{ asked: true }> {
  const wait = await ctx.limiter.take(ONCE_A_MINUTE, 'all')
  if (wait > 0) throw new AppError('reconciled-recently', { wait })
  return change(ctx, async (ctx) => {
    await enqueue(ctx, 'reconcile', {}, { key: ASKED_RECONCILIATION })
    return {
      out: { asked: true as const },
      change: { tenantId: null, action: 'ledger.ask_reconcile', target: 'ledger' },
    }
  })
}
