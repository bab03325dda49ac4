import type { Context } from '../../kit/context.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'
import { type Account, accountOf, type Mismatch, PAGE } from './account.ts'

export type Reconciliation = { tenants: number; decisions: number; mismatches: Mismatch[] }

/** How many tenants are compared at the same time. */
const TOGETHER = 2
/** For all decisions of one tenant. */
const TENANT_MS = 600_000

type Ctx = Pick<Context, 'prisma'>
type Options = { full?: boolean; page?: number; pace?: Pace }

/**
 * Compares the charges with the decisions: units used = decisions charged to the month's quota, per tenant and month;
 * balance = sum of entries − decisions charged to it, per tenant. Each tenant is read in a snapshot of its own, so that no
 * statement has to read all tenants. Decisions that an earlier comparison has counted are not read again, unless the sums
 * differ: then all of the tenant's are counted before a difference is reported. `full`: counts all decisions of all tenants,
 * which also finds an old one that was deleted or inserted. Archived decisions count as their archive has recorded them. `page`:
 * decisions that one statement counts.
 */
export async function reconcile(
  ctx: Ctx,
  { full = false, page = PAGE, pace = atOnce }: Options = {},
): Promise<Reconciliation> {
  const tenants = await ctx.prisma.tenant.findMany({ select: { id: true }, orderBy: { id: 'asc' } })
  const found: Account[] = []
  for (let i = 0; i < tenants.length; i += TOGETHER)
    found.push(
      ...(await pace(() => Promise.all(tenants.slice(i, i + TOGETHER).map(({ id }) => compare(ctx, id, full, page))))),
    )
  return {
    tenants: tenants.length,
    decisions: found.reduce((sum, { decisions }) => sum + decisions, 0),
    mismatches: found.flatMap(({ mismatches }) => mismatches),
  }
}

async function compare(ctx: Ctx, tenant: string, full: boolean, page: number): Promise<Account> {
  const read = (all: boolean) =>
    ctx.prisma.$transaction((prisma) => accountOf({ prisma }, tenant, { all, page }), {
      isolationLevel: 'RepeatableRead',
      maxWait: 10_000,
      timeout: TENANT_MS,
    })
  const newer = full ? undefined : await read(false)
  const account = newer?.mismatches.length === 0 ? newer : await read(true)
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
