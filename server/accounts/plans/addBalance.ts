import { topUp } from '../../ledger/quota/topUp.ts'
import { type Acting, change } from '../change.ts'

/** Adds prepaid units to the tenant's balance, or takes them away again. Throws BalanceError. */
export async function addBalance(
  ctx: Acting,
  tenant: { id: string },
  input: { units: number; reason: string },
): Promise<{ balance: number }> {
  return change(ctx, async (ctx) => {
    const { before, after } = await topUp(ctx, { tenantId: tenant.id, actor: ctx.actor, ...input })
    return {
      out: { balance: Number(after) },
      change: {
        tenantId: tenant.id,
        action: 'balance.add',
        target: tenant.id,
        before: { units: Number(before) },
        after: { units: Number(after), reason: input.reason },
      },
    }
  })
}
