import type { Context } from '../../kit/context.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { seconds } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import type { Pace } from '../../kit/process/pace.ts'
import { type AuditFault, type AuditState, verifyAudit } from '../audit/verify.ts'
import type { Mismatch } from './account.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'

/**
 * The last comparison of charges and decisions, and the verification of the audit. `at`: Unix seconds. `mismatches` and
 * `audit.faults`: at most 20 each, of `differing` and `audit.faulty`.
 */
export type LastReconciliation = Reconciliation & {
  at: number
  differing: number
  audit: { events: number; faulty: number; faults: AuditFault[] }
}

/** The key of the job that staff ask for. */
export const ASKED_RECONCILIATION = 'reconcile_asked'

const KEPT = 20

/** Compares the charges with the decisions, verifies the hash chains of the audit, and stores the results. `full`: of `reconcile`. */
export async function recordReconciliation(
  { prisma }: Pick<Context, 'prisma'>,
  options?: { full?: boolean; pace?: Pace },
): Promise<Reconciliation & { audit: AuditState }> {
  const found = await reconcile({ prisma }, options)
  const audit = await verifyAudit({ prisma }, options?.pace)
  const { tenants, decisions, mismatches } = found
  await prisma.reconciliationRun.create({
    data: {
      id: newId(),
      tenants,
      decisions,
      differing: mismatches.length,
      mismatches: mismatches.slice(0, KEPT),
      events: audit.events,
      auditFaults: audit.faults.length,
      faults: audit.faults.slice(0, KEPT),
    },
  })
  return { ...found, audit }
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
      audit: { events: Number(run.events), faulty: run.auditFaults, faults: run.faults as AuditFault[] },
    }
  )
}
