import { setIncluded } from '../../ledger/quota/period.ts'
import { type Acting, change } from '../change.ts'

/** Sets the units included each month, from the current month on. */
export async function setQuota(
  ctx: Acting,
  tenant: { id: string; monthlyQuota: bigint },
  quota: number,
): Promise<{ included: number; used: number }> {
  return change(ctx, async (ctx) => {
    await ctx.prisma.tenant.update({ where: { id: tenant.id }, data: { monthlyQuota: quota } })
    const { used } = await setIncluded(ctx, tenant.id, quota)
    return {
      out: { included: quota, used: Number(used) },
      change: {
        tenantId: tenant.id,
        action: 'quota.set',
        target: tenant.id,
        before: { monthly_quota: Number(tenant.monthlyQuota) },
        after: { monthly_quota: quota },
      },
    }
  })
}
