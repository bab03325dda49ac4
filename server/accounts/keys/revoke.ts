import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'

/** Ends a key of the management API; its next call is refused. Throws AppError. */
export async function revokeKey(ctx: MemberCtx, id: string): Promise<{ id: string }> {
  return change(ctx, async ({ prisma, tenant }) => {
    const [row] = await prisma.$queryRaw<{ name: string; last4: string }[]>`
      update api_key set revoked_at = now()
      where id = ${id}::uuid and tenant_id = ${tenant.id}::uuid and revoked_at is null
      returning name, last4`
    if (!row) throw new AppError('key-not-found')
    return { out: { id }, change: { tenantId: tenant.id, action: 'key.revoke', target: id, before: row } }
  })
}
