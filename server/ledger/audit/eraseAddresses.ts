import type { Context } from '../../kit/context.ts'
import type { Db } from '../../kit/transact.ts'

/** Replaces the address in the audit of all tenants by digests. Returns the number of events. */
export async function eraseAddress({ prisma }: Db, email: string): Promise<number> {
  const [row] = await prisma.$queryRaw<{ n: number }[]>`select erase_audit_addresses(${email})::int as n`
  return row?.n ?? 0
}

/** Replaces all addresses in audit events older than a setting. Returns the number of events. */
export async function eraseOldAddresses({ prisma, config }: Pick<Context, 'prisma' | 'config'>): Promise<number> {
  const [row] = await prisma.$queryRaw<{ n: number }[]>`
    select erase_audit_addresses(null, now() - make_interval(days => ${config.retention.addressDays}))::int as n`
  return row?.n ?? 0
}
