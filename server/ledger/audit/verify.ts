import type { Db } from '../../kit/db/transact.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'
import { hashOf, NO_TENANT, START } from './chain.ts'

/** A place where a chain does not match. `id`: the row, null if it is missing. */
export type AuditFault = {
  tenant_id: string | null
  seq: number
  id: string | null
  kind: 'changed' | 'missing' | 'inserted'
}

/** The end of a chain. `hash` in hex. */
export type AuditEnd = { tenant_id: string | null; seq: number; hash: string }

export type AuditState = { events: number; heads: AuditEnd[]; faults: AuditFault[] }

const PAGE = 1000

/** Verifies the chains of all tenants. Names each row that was changed, deleted or inserted, and returns the ends of the chains. */
export async function verifyAudit({ prisma }: Db, pace: Pace = atOnce): Promise<AuditState> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    select id::text as id from tenant union select tenant_id::text from audit_head union select ${NO_TENANT}
    order by 1`
  const state: AuditState = { events: 0, heads: [], faults: [] }
  for (const { id } of rows) {
    const { events, head, faults } = await pace(() => verifyChain({ prisma }, id))
    state.events += events
    state.faults.push(...faults)
    if (head) state.heads.push(head)
  }
  return state
}

async function verifyChain({ prisma }: Db, chain: string) {
  const tenantId = chain === NO_TENANT ? null : chain
  const faults: AuditFault[] = []
  const fault = (kind: AuditFault['kind'], seq: bigint, id: string | null) =>
    faults.push({ tenant_id: tenantId, seq: Number(seq), id, kind })
  let last = { seq: 0n, hash: Uint8Array.from(START), id: null as string | null }
  let events = 0

  const readOn = async () => {
    for (;;) {
      const page = await prisma.auditEvent.findMany({
        where: { tenantId, seq: { gt: last.seq } },
        orderBy: { seq: 'asc' },
        take: PAGE,
      })
      for (const row of page) {
        for (let seq = last.seq + 1n; seq < row.seq && faults.length < PAGE; seq++) fault('missing', seq, null)
        // the row after a missing one cannot be judged: its hash covers one that is gone
        const follows = row.seq === last.seq + 1n
        if (follows && !hashOf(last.hash, row).equals(row.hash)) fault('changed', row.seq, row.id)
        last = { seq: row.seq, hash: row.hash, id: row.id }
        events += 1
      }
      if (page.length < PAGE) return
    }
  }

  // A head commits together with its row, so a head that is read after the rows is not older than they are.
  const readHead = () => prisma.auditHead.findUnique({ where: { tenantId: chain } })
  let head: Awaited<ReturnType<typeof readHead>>
  for (;;) {
    const before = last.seq
    await readOn()
    head = await readHead()
    if (!head || head.seq <= last.seq || last.seq === before) break
  }

  const end = head?.seq ?? 0n
  for (let seq = last.seq + 1n; seq <= end && faults.length < PAGE; seq++) fault('missing', seq, null)
  if (head && end === last.seq && !Buffer.from(head.hash).equals(last.hash)) fault('changed', end, last.id)
  const beyond = await prisma.auditEvent.findMany({
    where: { tenantId, seq: { gt: end, lte: last.seq } },
    orderBy: { seq: 'asc' },
    select: { seq: true, id: true },
    take: PAGE,
  })
  for (const { seq, id } of beyond) fault('inserted', seq, id)
  const ends = head && { tenant_id: tenantId, seq: Number(head.seq), hash: Buffer.from(head.hash).toString('hex') }
  return { events, head: ends, faults }
}
