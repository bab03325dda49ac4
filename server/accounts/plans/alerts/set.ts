import { ALERT_PERCENTS } from '../../../contract/alerts.ts'
import { type ActorContext, change } from '../../change.ts'

export const listAlerts = async (
  { prisma }: Pick<ActorContext, 'prisma'>,
  tenant: { id: string },
): Promise<number[]> => {
  const rows = await prisma.usageAlert.findMany({ where: { tenantId: tenant.id }, orderBy: { percent: 'asc' } })
  return rows.map(({ percent }) => percent)
}

/** Sets the percentages of the month's quota at which e-mail is sent. One that was sent this month is not sent again. */
export async function setAlerts(
  ctx: ActorContext,
  tenant: { id: string },
  percents: readonly number[],
): Promise<number[]> {
  return change(ctx, async (ctx) => {
    // one at a time, so that of several changes the last one is what holds
    await ctx.prisma.$queryRaw`select 1 from tenant where id = ${tenant.id}::uuid for no key update`
    const before = await listAlerts(ctx, tenant)
    const after = ALERT_PERCENTS.filter((percent) => percents.includes(percent))
    await ctx.prisma.usageAlert.deleteMany({ where: { tenantId: tenant.id, percent: { notIn: after } } })
    await ctx.prisma.usageAlert.createMany({
      data: after.map((percent) => ({ tenantId: tenant.id, percent })),
      skipDuplicates: true,
    })
    return {
      out: after,
      change: {
        tenantId: tenant.id,
        action: 'usage.set_alerts',
        target: tenant.id,
        before: { percents: before },
        after: { percents: after },
      },
    }
  })
}
