import { AppError } from '../../kit/error.ts'
import { transact } from '../../kit/transact.ts'
import { lockPeriod } from '../../ledger/quota/quotaPeriod.ts'
import type { StaffCtx } from '../access.ts'
import { findTenant } from '../find.ts'
import { setQuota } from '../plans/setQuota.ts'
import { reasonOf } from './reason.ts'

/** Units; `undo`: the argument of the undo function. */
export type Adjusted = { before: number; after: number; undo: string }

/** Sets the units included each month. Throws AppError. */
export async function adjustQuota(
  ctx: StaffCtx,
  input: { tenant: string; units: number; reason: string },
): Promise<Adjusted> {
  const reason = reasonOf(input.reason)
  const { event, before, included } = await setQuota(ctx, await findTenant(ctx, input.tenant), input.units, { reason })
  return { before, after: included, undo: event }
}

/** Restores the quota that a change replaced, if it has not changed since. Throws AppError. */
export async function undoQuota(ctx: StaffCtx, input: { tenant: string; event: string }): Promise<Adjusted> {
  const { id } = await findTenant(ctx, input.tenant)
  return transact(ctx, async (ctx) => {
    // every adjustment of the tenant takes this lock, so that the value compared here is the one that is replaced
    await lockPeriod(ctx, id)
    const tenant = await findTenant(ctx, id)
    const event = await ctx.prisma.auditEvent.findFirst({
      where: { id: input.event, tenantId: tenant.id, action: 'quota.set' },
    })
    const [was, set] = [quotaIn(event?.before), quotaIn(event?.after)]
    if (!event || was === undefined) throw new AppError('quota-change-not-found')
    if (Number(tenant.monthlyQuota) !== set) throw new AppError('quota-changed')
    const why = { reason: `Undo of: ${reasonIn(event.after)}`, undoes: event.id }
    const done = await setQuota(ctx, tenant, was, why)
    return { before: done.before, after: done.included, undo: done.event }
  })
}

const fieldIn = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined

function quotaIn(value: unknown): number | undefined {
  const quota = fieldIn(value, 'monthly_quota')
  return typeof quota === 'number' ? quota : undefined
}

function reasonIn(value: unknown): string {
  const reason = fieldIn(value, 'reason')
  return typeof reason === 'string' ? reason : 'no reason given'
}
