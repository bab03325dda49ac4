import { newId } from '../../kit/ids.ts'
import type { StaffCtx } from '../access.ts'

/**
 * Records in the tenant's audit log that a member of staff read its data, once per hour and person. Two requests at once
 * may both record it.
 */
export async function recordRead({ prisma, actor }: StaffCtx, tenantId: string): Promise<void> {
  await prisma.$executeRaw`
    insert into audit_event (id, tenant_id, actor_type, actor_id, action, target)
    select ${newId()}::uuid, ${tenantId}::uuid, ${actor.type}::actor_type, ${actor.id}, 'tenant.read', ${tenantId}
    where not exists (
      select 1 from audit_event e where e.tenant_id = ${tenantId}::uuid and e.created_at > now() - interval '1 hour'
        and e.actor_type = ${actor.type}::actor_type and e.actor_id = ${actor.id} and e.action = 'tenant.read')`
}
