import { newId } from '../../kit/crypto/ids.ts'
import { byActor } from '../../ledger/audit/actor.ts'
import { lockPeriod, setIncluded } from '../../ledger/quota/quotaPeriod.ts'
import { type ActorContext, change } from '../change.ts'

/** `undoes`: the change that this one reverses; `id`: of the new change, if it is known. */
export type WhyQuota = { reason?: string; undoes?: string; id?: string }

/**
 * Sets the monthly quota, from the current month on. Returns the change's id, the quota before, and
 * what holds now.
 */
export async function setQuota(
  ctx: ActorContext,
  tenant: { id: string },
  quota: number,
  why: WhyQuota = {},
): Promise<{ event: string; before: number; included: number; used: number }> {
  const { id = newId(), ...described } = why
  return change(ctx, async (ctx) => {
    // under the lock that every charge and adjustment takes, so that `before` is exactly the value that this change replaced
    const { used } = await lockPeriod(ctx, tenant.id)
    const { monthlyQuota } = await ctx.prisma.tenant.findUniqueOrThrow({ where: { id: tenant.id } })
    await ctx.prisma.tenant.update({ where: { id: tenant.id }, data: { monthlyQuota: quota } })
    await setIncluded(ctx, tenant.id, quota)
    const { id: event } = await ctx.prisma.quotaChange.create({
      data: {
        id,
        tenantId: tenant.id,
        unitsBefore: monthlyQuota,
        unitsAfter: quota,
        ...byActor(ctx.actor),
        ...described,
      },
    })
    return {
      out: { event, before: Number(monthlyQuota), included: quota, used: Number(used) },
      change: {
        tenantId: tenant.id,
        action: 'quota.set',
        target: tenant.id,
        before: { monthly_quota: Number(monthlyQuota) },
        after: { monthly_quota: quota, ...described },
      },
    }
  })
}
