import { newId } from '../../kit/ids.ts'
import type { Db } from '../../kit/transact.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'

/** The last comparison of charges and decisions. `at`: Unix seconds. `mismatches`: at most 20. */
export type LastReconciliation = Reconciliation & { at: number; differing: number }

const ACTION = 'ledger.reconcile'
const KEPT = 20

/** Compares the charges with the decisions and stores the result in the audit log, without a tenant. */
export async function recordReconciliation(ctx: Db): Promise<Reconciliation> {
  const found = await reconcile(ctx)
  const { tenants, decisions, mismatches } = found
  await ctx.prisma.auditEvent.create({
    data: {
      id: newId(),
      tenantId: null,
      actor: 'operator:jobs',
      action: ACTION,
      target: 'ledger',
      after: { tenants, decisions, differing: mismatches.length, mismatches: mismatches.slice(0, KEPT) },
    },
  })
  return found
}

/** The latest result; null before the first comparison. */
export async function lastReconciliation({ prisma }: Db): Promise<LastReconciliation | null> {
  const [row] = await prisma.$queryRaw<{ at: number; found: Omit<LastReconciliation, 'at'> }[]>`
    select floor(extract(epoch from created_at))::float8 as at, after as found from audit_event
    where tenant_id is null and action = ${ACTION} order by created_at desc limit 1`
  return row ? { at: row.at, ...row.found } : null
}
