import { listEntries } from '../ledger/usage/entries.ts'
import { meter } from '../ledger/usage/meter.ts'
import { listMonths } from '../ledger/usage/months.ts'
import { member, paging, router } from './trpc.ts'

export const usageRouter = router({
  /** For the meter that every page of the tenant shows. */
  meter: member('tenant.read').query(({ ctx }) => meter(ctx.member, ctx.member.tenant)),
  months: member('billing.read').query(({ ctx }) => listMonths(ctx.member, ctx.member.tenant)),
  entries: member('billing.read')
    .input(paging)
    .query(({ ctx, input }) => listEntries(ctx.member, ctx.member.tenant, input)),
})
