import { transact } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import { lockPeriod } from '../../ledger/quota/quotaPeriod.ts'
import type { StaffCtx } from '../access.ts'
import { findTenant } from '../find.ts'
import { setQuota } from '../plans/setQuota.ts'
import { lockGiver, mayChangeAlone } from './limit.ts'
import { reasonOf } from './reason.ts'
import { askForUnits, type Requested } from './requests/ask.ts'

/** Units; `undo`: the argument of the undo function. */
export type Adjusted = { before: number; after: number; undo: string }

/** Sets the monthly quota. Many units wait for a second lead. Throws AppError. */
export async function adjustQuota(
  ctx: StaffCtx,
  input: { tenant: string; units: number; reason: string },
): Promise<Adjusted | Requested> {
  const reason = reasonOf(input.reason)
  const { units } = input
  const { id } = await findTenant(ctx, input.tenant)
  return transact(ctx, async (ctx) => {
    const tenant = await lockQuota(ctx, id)
    if (!(await mayChangeAlone(ctx, { size: units, gives: units - Number(tenant.monthlyQuota) })))
      return askForUnits(ctx, tenant, { kind: 'quota', units, reason })
    const { event, before, included } = await setQuota(ctx, tenant, units, { reason })
    return { before, after: included, undo: event }
  })
}

/** Locks what the caller gives and the tenant's quota, and returns the tenant as it is then. */
async function lockQuota(ctx: StaffCtx, id: string) {
  await lockGiver(ctx)
  // every adjustment of the tenant takes this lock, so that the value compared here is the one that is replaced
  await lockPeriod(ctx, id)
  return findTenant(ctx, id)
}

/** Restores the quota that a change replaced, if it has not changed since. Throws AppError. */
export async function undoQuota(ctx: StaffCtx, input: { tenant: string; event: string }): Promise<Adjusted> {
  const { id } = await findTenant(ctx, input.tenant)
  return transact(ctx, async (ctx) => {
    const tenant = await lockQuota(ctx, id)
    const change = await ctx.prisma.quotaChange.findFirst({ where: { id: input.event, tenantId: tenant.id } })
    if (!change) throw new AppError('quota-change-not-found')
    if (tenant.monthlyQuota !== change.unitsAfter) throw new AppError('quota-changed')
    const units = Number(change.unitsBefore - change.unitsAfter)
    if (!(await mayChangeAlone(ctx, { size: units, gives: units })))
      throw new AppError('undo-needs-second-lead', { units })
    const why = { reason: `Undo of: ${change.reason ?? 'no reason given'}`, undoes: change.id }
    const done = await setQuota(ctx, tenant, Number(change.unitsBefore), why)
    return { before: done.before, after: done.included, undo: done.event }
  })
}
