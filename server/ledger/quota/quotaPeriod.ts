import type { Db } from '../../kit/db/transact.ts'

/** Locks the tenant's row of the current month, which is created if missing. All charges and adjustments of the tenant take this lock. */
export async function lockPeriod(ctx: Db, tenantId: string): Promise<{ included: bigint; used: bigint }> {
  await ctx.prisma.$executeRaw`select ensure_quota_periods(array[${tenantId}::uuid], utc_month())`
  const [row] = await ctx.prisma.$queryRaw<{ included: bigint; used: bigint }[]>`
    select included, used from quota_period where tenant_id = ${tenantId}::uuid and month = utc_month() for update`
  if (!row) throw new Error('the tenant has no quota period')
  return row
}

/** Sets the units included in the current month. Fewer than used already: the rest of the month comes from the balance. */
export async function setIncluded(
  ctx: Db,
  tenantId: string,
  included: number,
): Promise<{ before: bigint; used: bigint }> {
  const { included: before, used } = await lockPeriod(ctx, tenantId)
  await ctx.prisma
    .$executeRaw`update quota_period set included = ${included}::bigint where tenant_id = ${tenantId}::uuid and month = utc_month()`
  return { before, used }
}
