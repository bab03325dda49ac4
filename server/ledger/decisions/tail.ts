import type { Context } from '../../kit/context.ts'
import { all } from '../scan.ts'
import {
  COLUMNS,
  type DecisionQuery,
  type DecisionRecord,
  type DecisionRow,
  ofItself,
  ofOutcome,
  ofSite,
  toRow,
  WITH_OUTCOME,
} from './read.ts'

/**
 * A redemption's time is the beginning of its transaction, so a row can become visible later than newer rows: by at
 * most this, in seconds. No statement of the verification path runs for longer than 2 s.
 */
const LATE = 10

/** Maximum rows of one step. */
const BATCH = 500

/**
 * Follows redemptions step by step, each decision once. `after`: where an earlier tail stopped; decisions of the 10 s before
 * it are returned again, because they may have become visible since. Without `after`: from now on.
 */
export function tailDecisions(
  ctx: Pick<Context, 'prisma' | 'clock'>,
  tenant: { id: string },
  filters: DecisionQuery,
  { after, batch = BATCH }: { after?: number | undefined; batch?: number } = {},
) {
  const wanted = all([...ofSite(filters), ...ofItself(filters), ...ofOutcome(filters)])
  const returned = new Map<string, number>()
  let position = after ?? ctx.clock.now() / 1000

  return {
    /** Unix seconds, up to which everything visible has been returned. */
    position: () => position,
    /** What became visible since the last step, oldest first. After a full step, the next one follows immediately. */
    async next(): Promise<{ rows: DecisionRow[]; full: boolean }> {
      const began = ctx.clock.now() / 1000
      const since = position - LATE
      for (const [id, at] of returned) if (at < since) returned.delete(id)
      const read = await ctx.prisma.$queryRaw<DecisionRecord[]>`
        select ${COLUMNS}
        from (
          select d.*, f.outcome
          from decision d
          ${WITH_OUTCOME}
          where d.tenant_id = ${tenant.id}::uuid and d.redeemed_at >= to_timestamp(${since}::float8)
            and d.id <> all(${[...returned.keys()]}::uuid[]) and ${wanted}
          order by d.redeemed_at, d.id
          limit ${batch}::int
        ) d
        left join site_name s on s.id = d.site_id
        order by d.redeemed_at, d.id`
      const rows = read.map(toRow)
      for (const { id, redeemedAt } of rows) returned.set(id, redeemedAt)
      const full = rows.length === batch
      position = Math.max(position, full ? (rows.at(-1)?.redeemedAt ?? 0) : began)
      return { rows, full }
    },
  }
}
