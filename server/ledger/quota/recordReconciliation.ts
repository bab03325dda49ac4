import { seconds } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { Db } from '../../kit/transact.ts'
import { type Mismatch, type Reconciliation, reconcile } from './reconcile.ts'

/** The last comparison of charges and decisions. `at`: Unix seconds. `mismatches`: at most 20. */
export type LastReconciliation = Reconciliation & { at: number; differing: number }

const KEPT = 20

/** Compares the charges with the decisions and stores the result. */
export async function recordReconciliation({ prisma }: Db): Promise<Reconciliation> {
  const found = await reconcile({ prisma })
  const { tenants, decisions, mismatches } = found
  await prisma.reconciliationRun.create({
    data: {
      id: newId(),
      tenants,
      decisions,
      differing: mismatches.length,
      mismatches: mismatches.slice(0, KEPT),
    },
  })
  return found
}

/** The latest result; null before the first comparison. */
export async function lastReconciliation({ prisma }: Db): Promise<LastReconciliation | null> {
  const run = await prisma.reconciliationRun.findFirst({ orderBy: { createdAt: 'desc' } })
  return (
    run && {
      at: seconds(run.createdAt.getTime()),
      tenants: run.tenants,
      decisions: Number(run.decisions),
      differing: run.differing,
      mismatches: run.mismatches as Mismatch[],
    }
  )
}
