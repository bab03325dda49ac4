import type { HotPool } from '../../kit/db/db.ts'
import { notify } from '../../kit/db/invalidations.ts'
import type { Db } from '../../kit/db/transact.ts'

/** The message to all nodes that marks were added, withdrawn or erased. report.sql sends it too. */
export const MARKS_CHANGED = 'feedback_mark'

/** A decision that was reported as abuse, and what identifies its visitor: hashes of 8 bytes, or null. Times in milliseconds. */
export type Mark = {
  decisionId: string
  tenantId: string
  network: Buffer | null
  area: Buffer | null
  subject: Buffer | null
  markedAt: number
  withdrawn: boolean
  changedAt: number
}

/** The first bytes of a subject, as decisions and marks contain it. */
export const subjectHash = (subject: string): Buffer => Buffer.from(subject.slice(0, 16), 'hex')

/** Marks in a statement, so that each ends within the bounds of the hot pool. */
const PAGE = 5000

const MILLISECONDS = (column: string) => `round(extract(epoch from ${column}) * 1000)::float8`

/** In the order of change. `$1`, `$2`: the last change read, and its decision. */
const READ = {
  name: 'read_marks',
  text: `/* read_marks */ select decision_id as "decisionId", tenant_id as "tenantId", network, area, subject,
      ${MILLISECONDS('marked_at')} as "markedAt", withdrawn_at is not null as withdrawn, ${MILLISECONDS('changed_at')} as "changedAt"
    from feedback_mark
    where changed_at >= to_timestamp($1::float8 / 1000)
      and (changed_at, decision_id) > (to_timestamp($1::float8 / 1000), $2::uuid)
    order by changed_at, decision_id limit ${PAGE}`,
}

/** When the `$1`th newest change was, so that no more than that many are read. */
const NEWEST = {
  name: 'newest_marks',
  text: `/* newest_marks */ select ${MILLISECONDS('changed_at')} as at from feedback_mark
    order by changed_at desc offset $1::int limit 1`,
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Calls `each` with the marks that changed since then, in the order of change. */
export async function readMarks(pool: HotPool, since: number, each: (mark: Mark) => void): Promise<void> {
  for (let last = { changedAt: since, decisionId: FIRST_ID }; ; ) {
    const page = await pool.query<Mark>(READ, [last.changedAt, last.decisionId])
    for (const mark of page) each(mark)
    const end = page.at(-1)
    if (!end || page.length < PAGE) return
    last = end
  }
}

/** When the newest `most` marks begin, in milliseconds; 0 if there are no more than that. */
export async function beginOfNewest(pool: HotPool, most: number): Promise<number> {
  const [row] = await pool.query<{ at: number }>(NEWEST, [most])
  return row?.at ?? 0
}

/** Removes a subject from the tenant's marks, on all nodes too. Returns how many had it. */
export async function eraseMarkedSubject(ctx: Db, tenant: { id: string }, subject: string): Promise<number> {
  const count = await ctx.prisma.$executeRaw`
    update feedback_mark set subject = null, changed_at = now()
    where tenant_id = ${tenant.id}::uuid and subject = ${new Uint8Array(subjectHash(subject))}`
  if (count > 0) await notify(ctx.prisma, MARKS_CHANGED)
  return count
}
