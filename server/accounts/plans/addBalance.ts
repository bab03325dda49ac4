import { topUp } from '../../ledger/quota/topUp.ts'
import { type ActorContext, change } from '../change.ts'

/**
 * Adds prepaid units to the tenant's balance, or removes them. `undoes`: the entry that this one reverses; `id`: of the new entry,
 * if it is known. Returns the new entry's id, and the balance before and after. Throws AppError.
 */
export async function addBalance(
  ctx: ActorContext,
  tenant: { id: string },
  input: { units: number; reason: string; undoes?: string; id?: string },
): Promise<{ entry: string; before: number; balance: number }> {
  return change(ctx, async (ctx) => {
    const { id, before, after } = await topUp(ctx, { tenantId: tenant.id, actor: ctx.actor, ...input })
    return {
      out: { entry: id, before: Number(before), balance: Number(after) },
      change: {
        tenantId: tenant.id,
        action: 'balance.add',
        target: tenant.id,
        before: { units: Number(before) },
        after: {
          units: Number(after),
          reason: input.reason,
          entry: id,
          ...(input.undoes !== undefined && { undoes: input.undoes }),
        },
      },
    }
  })
}
