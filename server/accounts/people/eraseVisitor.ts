import type { OperatorCtx, StaffCtx } from '../access.ts'
import { change } from '../change.ts'

/** A visitor, by a hash that the merchant sent as `session` or `subject`. */
export type VisitorHash = { field: 'session' | 'subject'; hash: string }

/** Removes the hash from the tenant's intents and grants. Grants of the session end, because they would be anyone's without it. */
export async function eraseVisitor(
  ctx: OperatorCtx | StaffCtx,
  tenant: { id: string },
  { field, hash }: VisitorHash,
): Promise<{ intents: number; grants: number }> {
  return change(ctx, async (ctx) => {
    const { prisma } = ctx
    const where = { tenantId: tenant.id, [field]: hash }
    const { count: intents } = await prisma.intent.updateMany({ where, data: { [field]: null } })
    let grants = 0
    if (field === 'session') {
      await prisma.grantRevocation.deleteMany({ where: { tenantId: tenant.id, target: hash.slice(0, 8) } })
      grants = await prisma.$executeRaw`
        update captcha_grant set session = null, revoked_at = coalesce(revoked_at, now())
        where tenant_id = ${tenant.id}::uuid and session = ${hash}`
    }
    const after = { field, intents, grants }
    return {
      out: { intents, grants },
      change: { tenantId: tenant.id, action: 'visitor.erase', target: tenant.id, after },
    }
  })
}
