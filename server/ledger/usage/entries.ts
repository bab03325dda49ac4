import { seconds } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import { type Page, type PageInput, toPage } from '../page.ts'

/** `units`: negative for a removal. `createdAt`: Unix seconds. */
export type Entry = { id: string; units: number; reason: string; createdAt: number }

/** Additions to the tenant's balance and removals, newest first, without the member of staff who made them. */
export async function listEntries(ctx: Db, tenant: { id: string }, input: PageInput): Promise<Page<Entry>> {
  const { cursor, limit } = input
  const rows = await ctx.prisma.balanceEntry.findMany({
    where: { tenantId: tenant.id, ...(cursor === undefined ? {} : { id: { lt: cursor } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  return toPage(
    rows.map(({ id, units, reason, createdAt }) => ({
      id,
      units: Number(units),
      reason,
      createdAt: seconds(createdAt.getTime()),
    })),
    limit,
  )
}
