import { randomBytes } from 'node:crypto'
import type { Prisma } from '../../../prisma/client/client.ts'
import type { ActorType } from '../../../prisma/client/enums.ts'
import { newId } from '../../kit/crypto/ids.ts'
import type { Db } from '../../kit/db/transact.ts'
import { hashOf, NO_TENANT, START } from './chain.ts'

export type NewAuditEvent = {
  id?: string
  tenantId: string | null
  actorType: ActorType
  actorId: string
  action: string
  target: string
  before?: Prisma.InputJsonObject
  after?: Prisma.InputJsonObject
  createdAt?: Date
}

type Head = { seq: bigint; hash: Uint8Array; now: Date }

/** A value as it will be read again: without undefined fields. */
const asStored = (value: Prisma.InputJsonObject | undefined): Prisma.JsonValue =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Prisma.JsonValue)

/** Appends a row to the tenant's chain, in the caller's transaction. The only function that writes audit rows. */
export async function recordAudit({ prisma }: Db, event: NewAuditEvent): Promise<void> {
  const chain = event.tenantId ?? NO_TENANT
  // locks the head until the transaction ends, so that the next row sees this one
  const [head] = await prisma.$queryRaw<Head[]>`
    insert into audit_head as h (tenant_id, seq, hash) values (${chain}::uuid, 1, ${START})
    on conflict (tenant_id) do update set seq = h.seq + 1
    returning seq, hash, date_trunc('milliseconds', now()) as now`
  if (!head) throw new Error('an insert returned no row')
  const row = {
    ...event,
    id: event.id ?? newId(),
    seq: head.seq,
    salt: Uint8Array.from(randomBytes(16)),
    createdAt: event.createdAt ?? head.now,
  }
  const hash = hashOf(head.hash, { ...row, before: asStored(event.before), after: asStored(event.after) })
  await prisma.auditEvent.create({ data: { ...row, hash } })
  await prisma.auditHead.update({ where: { tenantId: chain }, data: { hash } })
}
