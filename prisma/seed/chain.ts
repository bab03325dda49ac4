import { hashOf, START } from '../../server/ledger/audit/chain.ts'
import type { SeedContext } from './context.ts'

/** Writes the hashes of the tenants' audit anew, because seeding has moved its rows to earlier times. */
export async function rechain({ prisma }: SeedContext, tenants: string[]): Promise<void> {
  for (const tenantId of tenants) {
    let hash: Uint8Array<ArrayBuffer> = START
    for (const row of await prisma.auditEvent.findMany({ where: { tenantId }, orderBy: { seq: 'asc' } })) {
      hash = hashOf(hash, row)
      await prisma.auditEvent.update({ where: { id: row.id }, data: { hash } })
    }
    await prisma.auditHead.update({ where: { tenantId }, data: { hash } })
  }
}
