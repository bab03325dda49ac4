import type { Db } from '../../kit/transact.ts'
import { type Account, accountOf, type Mismatch } from './account.ts'

export type Reconciliation = { tenants: number; decisions: number; mismatches: Mismatch[] }

/** How many tenants are compared at the same time. */
const TOGETHER = 2

/**
 * Compares the charges with the decisions: units used = decisions charged to the month's quota, per tenant and month;
 * balance = sum of entries − decisions charged to it, per tenant. Each tenant is read in a snapshot of its own, so that no
 * statement has to read all tenants. Decisions that an earlier comparison has counted are not read again, unless the sums
 * differ: then all of the tenant's are counted before a difference is reported. `full`: counts all decisions of all tenants,
 * which also finds an old one that was deleted or inserted. Archived decisions count as their archive has recorded them.
 */
export async function reconcile(ctx: Db, { full = false }: { full?: boolean } = {}): Promise<Reconciliation> {
  const tenants = await ctx.prisma.tenant.findMany({ select: { id: true }, orderBy: { id: 'asc' } })
  const found: Account[] = []
  for (let i = 0; i < tenants.length; i += TOGETHER)
    found.push(...(await Promise.all(tenants.slice(i, i + TOGETHER).map(({ id }) => compare(ctx, id, full)))))
  return {
    tenants: tenants.length,
    decisions: found.reduce((sum, { decisions }) => sum + decisions, 0),
    mismatches: found.flatMap(({ mismatches }) => mismatches),
  }
}

async function compare(ctx: Db, tenant: string, full: boolean): Promise<Account> {
  const newer = full ? undefined : await accountOf(ctx, tenant, 'newer')
  const account = newer?.mismatches.length === 0 ? newer : await accountOf(ctx, tenant, 'all')
  const { mismatches, until, counts } = account
  const same = { tenantId: tenant }
  if (mismatches.length > 0) await ctx.prisma.reconciliationCheckpoint.deleteMany({ where: same })
  else
    await ctx.prisma.reconciliationCheckpoint.upsert({
      where: same,
      create: { ...same, until, counts },
      update: { until, counts },
    })
  return account
}
