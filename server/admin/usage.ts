import { z } from 'zod'
import { findOwnSite } from '../accounts/sites/find.ts'
import { usageBySite } from '../ledger/usage/bySite.ts'
import { listEntries } from '../ledger/usage/entries.ts'
import { meter } from '../ledger/usage/meter.ts'
import { listMonths } from '../ledger/usage/months.ts'
import { usageSeries } from '../ledger/usage/series.ts'
import { member, paging, router } from './trpc.ts'

const seconds = z.int().min(0)
/** At most 400 days: a year, and the month before it. */
const period = z
  .object({ from: seconds, to: seconds })
  .refine(({ from, to }) => from < to && to - from <= 400 * 86_400, 'a period of at most 400 days')

export const usageRouter = router({
  /** For the meter that every page of the tenant shows. */
  meter: member('tenant.read').query(({ ctx }) => meter(ctx.member, ctx.member.tenant)),
  /** For charts: what happened, step by step. */
  series: member('traffic.read')
    .input(z.object({ site: z.uuid().optional(), period }))
    .query(async ({ ctx, input }) => {
      const siteId = input.site === undefined ? undefined : (await findOwnSite(ctx.member, input.site)).id
      return usageSeries(ctx.member, { tenantId: ctx.member.tenant.id, siteId }, input.period)
    }),
  bySite: member('traffic.read')
    .input(z.object({ period }))
    .query(({ ctx, input }) => usageBySite(ctx.member, ctx.member.tenant, input.period)),
  months: member('billing.read').query(({ ctx }) => listMonths(ctx.member, ctx.member.tenant)),
  entries: member('billing.read')
    .input(paging)
    .query(({ ctx, input }) => listEntries(ctx.member, ctx.member.tenant, input)),
})
