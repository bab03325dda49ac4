import { eraseDecidedSubject } from '../../ledger/decisions/eraseSubject.ts'
import { eraseMarkedSubject } from '../../ledger/feedback/marks.ts'
import type { OperatorCtx, StaffCtx } from '../access.ts'
import { change } from '../change.ts'

/** A visitor, by a hash that the merchant sent as `session` or `subject`. */
export type VisitorHash = { field: 'session' | 'subject'; hash: string }

/** From how many rows the hash was removed. */
export type ErasedVisitor = { intents: number; grants: number; decisions: number }

/**
 * Removes the hash from the tenant's intents and grants, and a subject also from decisions and what feedback marked. Grants of
 * the session end, because they would be anyone's without it.
 */
export async function eraseVisitor(
  ctx: OperatorCtx | StaffCtx,
  tenant: { id: string },
  { field, hash }: VisitorHash,
): Promise<ErasedVisitor> {
  // any number of decisions, so not in one transaction; the whole can be repeated
  const decisions = field === 'subject' ? await eraseDecidedSubject(ctx, tenant, hash) : 0
  return change(ctx, async (ctx) => {
    const { prisma } = ctx
    const where = { tenantId: tenant.id, [field]: hash }
    const { count: intents } = await prisma.intent.updateMany({ where, data: { [field]: null } })
    let grants = 0
    if (field === 'subject') await eraseMarkedSubject(ctx, tenant, hash)
    if (field === 'session') {
      await prisma.grantRevocation.deleteMany({ where: { tenantId: tenant.id, target: hash.slice(0, 8) } })
      grants = await prisma.$executeRaw`
        update captcha_grant set session = null, revoked_at = coalesce(revoked_at, now())
        where tenant_id = ${tenant.id}::uuid and session = ${hash}`
    }
    const after = { field, intents, grants, decisions }
    return {
      out: { intents, grants, decisions },
      change: { tenantId: tenant.id, action: 'visitor.erase', target: tenant.id, after },
    }
  })
}
