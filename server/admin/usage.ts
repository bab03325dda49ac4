import { z } from 'zod'
import { findOwnSite } from '../accounts/sites/find.ts'
import { usageBySite } from '../ledger/usage/bySite.ts'
import { listEntries } from '../ledger/usage/entries.ts'
import { meter } from '../ledger/usage/meter.ts'
import { listMonths } from '../ledger/usage/months.ts'
import { usageSeries } from '../ledger/usage/series.ts'
import { wholePeriod } from './fields.ts'
import { member, paging, router } from './trpc.ts'

export const usageRouter = router({
  /** For the meter that every page of the tenant shows. */
  meter: member('tenant.read').query(({ ctx }) => meter(ctx.member, ctx.member.tenant)),
  /** For charts: what happened, step by step. */
  series: member('traffic.read')
    .input(z.object({ site: z.uuid().optional() }).and(wholePeriod))
    .query(async ({ ctx, input }) => {
      const siteId = input.site === undefined ? undefined : (await findOwnSite(ctx.member, input.site)).id
      return usageSeries(ctx.member, { tenantId: ctx.member.tenant.id, siteId }, input)
    }),
  bySite: member('traffic.read')
    .input(wholePeriod)
    .query(({ ctx, input }) => usageBySite(ctx.member, ctx.member.tenant, input)),
  months: member('billing.read').query(({ ctx }) => listMonths(ctx.member, ctx.member.tenant)),
  entries: member('billing.read')
    .input(paging)
    .query(({ ctx, input }) => listEntries(ctx.member, ctx.member.tenant, input)),
})
