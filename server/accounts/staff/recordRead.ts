import type { Prisma } from '../../../prisma/client/client.ts'
import { transact } from '../../kit/db/transact.ts'
import { byActor } from '../../ledger/audit/actor.ts'
import { recordAudit } from '../../ledger/audit/record.ts'
import type { StaffCtx } from '../access.ts'

type Read = {
  /** Null for what belongs to no tenant, or must not be shown to it. */
  tenantId: string | null
  action: string
  target: string
  after?: Prisma.InputJsonObject
}

/** Records a read once per person and `minutes`. Two requests at once may both record it. */
async function recordOnce(ctx: StaffCtx, minutes: number, read: Read): Promise<void> {
  const after = read.after === undefined ? null : JSON.stringify(read.after)
  await transact(ctx, async (ctx) => {
    const { actor } = ctx
    const [recent] = await ctx.prisma.$queryRaw<{ id: string }[]>`
      select e.id from audit_event e where e.tenant_id is not distinct from ${read.tenantId}::uuid
        and e.created_at > now() - make_interval(mins => ${minutes})
        and e.actor_type = ${actor.type}::actor_type and e.actor_id = ${actor.id}
        and e.action = ${read.action} and e.target = ${read.target} and e.after is not distinct from ${after}::jsonb
      limit 1`
    if (!recent) await recordAudit(ctx, { ...byActor(actor), ...read })
  })
}

/** Records in the tenant's audit log that a member of staff read its data, once per hour and person. */
export const recordRead = (ctx: StaffCtx, tenantId: string): Promise<void> =>
  recordOnce(ctx, 60, { tenantId, action: 'tenant.read', target: tenantId })

/**
 * Records in the audit of staff that a member of staff searched, or read a list of tenants or notes, once per minute and
 * question.
 */
export const recordStaffRead = (ctx: StaffCtx, read: Omit<Read, 'tenantId'>): Promise<void> =>
  recordOnce(ctx, 1, { tenantId: null, ...read })
