import type { Context } from '../../kit/context.ts'
import type { Db } from '../../kit/db/transact.ts'

/** A shorter name without a space is part of too many texts. */
const SHORTEST_NAME = 5

/**
 * Replaces the address, and texts with the address or the name, in the audit of all tenants by digests. Returns the number
 * of events.
 */
export async function eraseFromAudit(
  { prisma }: Db,
  { email, name }: { email: string; name: string },
): Promise<number> {
  const searched = name.length >= SHORTEST_NAME || /\S\s\S/.test(name) ? name : null
  const [row] = await prisma.$queryRaw<{ n: number }[]>`
    select erase_audit_person(${email}, ${searched}, 'infinity')::int as n`
  return row?.n ?? 0
}

/** Replaces all addresses, and texts that contain one, in audit events older than a setting. Returns the number of events. */
export async function eraseOldAddresses({ prisma, config }: Pick<Context, 'prisma' | 'config'>): Promise<number> {
  const [row] = await prisma.$queryRaw<{ n: number }[]>`
    select erase_audit_person(null, null, now() - make_interval(days => ${config.retention.addressDays}))::int as n`
  return row?.n ?? 0
}
