import { transact } from '../../kit/transact.ts'
import { byActor } from '../../ledger/audit/actor.ts'
import { recordAudit } from '../../ledger/audit/record.ts'
import type { StaffCtx } from '../access.ts'

/**
 * Records in the tenant's audit log that a member of staff read its data, once per hour and person. Two requests at once
 * may both record it.
 */
export async function recordRead(ctx: StaffCtx, tenantId: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { actor } = ctx
    const [recent] = await ctx.prisma.$queryRaw<{ id: string }[]>`
      select e.id from audit_event e where e.tenant_id = ${tenantId}::uuid and e.created_at > now() - interval '1 hour'
        and e.actor_type = ${actor.type}::actor_type and e.actor_id = ${actor.id} and e.action = 'tenant.read'
      limit 1`
    if (!recent) await recordAudit(ctx, { ...byActor(actor), tenantId, action: 'tenant.read', target: tenantId })
  })
}
