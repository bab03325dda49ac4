import type { Prisma } from '../../../prisma/client/client.ts'
import type { Db } from '../../kit/db/transact.ts'
import { ACTOR_COLUMNS, type ActorRow, type StaffActor, WITH_PERSON, withStaffActor } from './actor.ts'

/** `createdAt`: Unix seconds. */
export type AuditEventOf = {
  id: string
  actor: StaffActor
  action: string
  target: string
  before: Prisma.JsonValue
  after: Prisma.JsonValue
  createdAt: number
}

type Row = Omit<AuditEventOf, 'actor'> & ActorRow

const MANY = 20

/** Changes of the targets between two times (Unix seconds), newest first, at most 20. What was only read or tried is no change. */
export async function auditAround(
  { prisma }: Db,
  { tenantId, targets, from, to }: { tenantId: string; targets: string[]; from: number; to: number },
): Promise<AuditEventOf[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    select e.id::text as id, ${ACTOR_COLUMNS}, e.action, e.target, e.before, e.after,
      floor(extract(epoch from e.created_at))::float8 as "createdAt"
    from audit_event e
    ${WITH_PERSON}
    where e.tenant_id = ${tenantId}::uuid and e.created_at >= to_timestamp(${from}::float8)
      and e.created_at <= to_timestamp(${to}::float8) and e.target = any(${targets})
      and e.action not in ('tenant.read', 'tenant.export', 'site.try')
    order by e.created_at desc, e.id desc limit ${MANY}`
  return rows.map(withStaffActor)
}
