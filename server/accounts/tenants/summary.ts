import { PLAYGROUND_ACTION } from '../../contract/names.ts'
import type { MemberCtx } from '../access.ts'

export type Summary = {
  /** Decisions of all sites since midnight, UTC. */
  today: number
  /** Of the latest decision that was not a trial in the console, in Unix seconds; null before the first. */
  lastDecisionAt: number | null
  /** Whether each step to the first verification has ever been done, not counting trials in the console. */
  done: { site: boolean; intent: boolean; decision: boolean }
}

type Row = { today: number; last: number | null; site: boolean; intent: boolean }

/** Today's numbers of the tenant, and its progress to the first verification. By the database's clock. */
export async function viewSummary({ prisma, tenant }: Pick<MemberCtx, 'prisma' | 'tenant'>): Promise<Summary> {
  const [row] = await prisma.$queryRaw<Row[]>`
    select
      (select coalesce(sum(n), 0)::float8 from usage_day where tenant_id = ${tenant.id}::uuid
        and measure = 'redeemed' and day = (now() at time zone 'utc')::date) as today,
      (select floor(extract(epoch from redeemed_at))::float8 from decision
        where tenant_id = ${tenant.id}::uuid and action <> ${PLAYGROUND_ACTION} order by redeemed_at desc limit 1) as last,
      exists (select 1 from site where tenant_id = ${tenant.id}::uuid) as site,
      exists (select 1 from usage_day where tenant_id = ${tenant.id}::uuid and measure = 'intents') as intent`
  if (!row) throw new Error('a row of scalars is missing')
  const { today, last, site, intent } = row
  const decision = last !== null
  // counts are written a second late, but a redeemed intent must have been opened
  return { today, lastDecisionAt: last, done: { site, intent: intent || decision, decision } }
}
