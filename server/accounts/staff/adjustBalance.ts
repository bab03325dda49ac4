import { transact } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import { lockPeriod } from '../../ledger/quota/quotaPeriod.ts'
import type { StaffCtx } from '../access.ts'
import { findTenant } from '../find.ts'
import { addBalance } from '../plans/addBalance.ts'
import type { Adjusted } from './adjustQuota.ts'
import { lockGiver, mayChangeAlone } from './limit.ts'
import { reasonOf } from './reason.ts'
import { askForUnits, type Requested } from './requests/ask.ts'

/** Adds units to the tenant's balance; negative units are removed. Many units wait for a second lead. Throws AppError. */
export async function adjustBalance(
  ctx: StaffCtx,
  input: { tenant: string; units: number; reason: string },
): Promise<Adjusted | Requested> {
  const reason = reasonOf(input.reason)
  const { units } = input
  if (units === 0) throw new AppError('units-zero')
  const tenant = await findTenant(ctx, input.tenant)
  return transact(ctx, async (ctx) => {
    await lockGiver(ctx)
    if (!(await mayChangeAlone(ctx, { size: Math.abs(units), gives: units })))
      return askForUnits(ctx, tenant, { kind: 'balance', units, reason })
    const { before, balance, entry } = await addBalance(ctx, tenant, { units, reason })
    return { before, after: balance, undo: entry }
  })
}

/**
 * Undoes an entry of the balance by a counter-entry, at most once; entries are never changed. Throws
 * AppError, and AppError if its units are used up.
 */
export async function undoBalance(ctx: StaffCtx, input: { tenant: string; entry: string }): Promise<Adjusted> {
  const tenant = await findTenant(ctx, input.tenant)
  return transact(ctx, async (ctx) => {
    await lockGiver(ctx)
    // every adjustment of the tenant takes this lock, so that two undos see each other
    await lockPeriod(ctx, tenant.id)
    const entry = await ctx.prisma.balanceEntry.findFirst({ where: { id: input.entry, tenantId: tenant.id } })
    if (!entry) throw new AppError('entry-not-found')
    const undone = await ctx.prisma.balanceEntry.count({ where: { undoes: entry.id } })
    if (undone > 0) throw new AppError('entry-undone')
    const units = -Number(entry.units)
    if (!(await mayChangeAlone(ctx, { size: units, gives: units })))
      throw new AppError('undo-needs-second-lead', { units })
    const done = await addBalance(ctx, tenant, { units, reason: `Undo of: ${entry.reason}`, undoes: entry.id })
    return { before: done.before, after: done.balance, undo: done.entry }
  })
}
