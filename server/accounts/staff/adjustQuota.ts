import { AppError } from '../../kit/error.ts'
import { transact } from '../../kit/transact.ts'
import { lockPeriod } from '../../ledger/quota/quotaPeriod.ts'
import type { StaffCtx } from '../access.ts'
import { findTenant } from '../find.ts'
import { setQuota } from '../plans/setQuota.ts'
import { needsSecondLead, refuseLargeUnits } from './limit.ts'
import { reasonOf } from './reason.ts'
import { askForUnits, type Requested } from './requests/ask.ts'

/** Units; `undo`: the argument of the undo function. */
export type Adjusted = { before: number; after: number; undo: string }

/** Sets the units included each month. Many units wait for a second lead. Throws AppError. */
export async function adjustQuota(
  ctx: StaffCtx,
  input: { tenant: string; units: number; reason: string },
): Promise<Adjusted | Requested> {
  const reason = reasonOf(input.reason)
  refuseLargeUnits(ctx, input.units)
  const tenant = await findTenant(ctx, input.tenant)
  if (needsSecondLead(ctx, input.units)) return askForUnits(ctx, tenant, { kind: 'quota', units: input.units, reason })
  const { event, before, included } = await setQuota(ctx, tenant, input.units, { reason })
  return { before, after: included, undo: event }
}

/** Restores the quota that a change replaced, if it has not changed since. Throws AppError. */
export async function undoQuota(ctx: StaffCtx, input: { tenant: string; event: string }): Promise<Adjusted> {
  const { id } = await findTenant(ctx, input.tenant)
  return transact(ctx, async (ctx) => {
    // every adjustment of the tenant takes this lock, so that the value compared here is the one that is replaced
    await lockPeriod(ctx, id)
    const tenant = await findTenant(ctx, id)
    const change = await ctx.prisma.quotaChange.findFirst({ where: { id: input.event, tenantId: tenant.id } })
    if (!change) throw new AppError('quota-change-not-found')
    if (tenant.monthlyQuota !== change.unitsAfter) throw new AppError('quota-changed')
    const why = { reason: `Undo of: ${change.reason ?? 'no reason given'}`, undoes: change.id }
    const done = await setQuota(ctx, tenant, Number(change.unitsBefore), why)
    return { before: done.before, after: done.included, undo: done.event }
  })
}
