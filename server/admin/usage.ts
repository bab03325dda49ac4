import { z } from 'zod'
import { listAlerts, setAlerts } from '../accounts/plans/alerts/set.ts'
import { requestUnits } from '../accounts/plans/requestUnits.ts'
import { findOwnSite } from '../accounts/sites/find.ts'
import { listChartMarks } from '../captcha/incidents/chartMarks.ts'
import { ALERT_PERCENTS } from '../contract/alerts.ts'
import { AppError } from '../kit/error.ts'
import { usageBySite } from '../ledger/usage/bySite.ts'
import { listEntries } from '../ledger/usage/entries.ts'
import { meter } from '../ledger/usage/meter.ts'
import { listMonths } from '../ledger/usage/months.ts'
import { usageSeries } from '../ledger/usage/series.ts'
import { statement } from '../ledger/usage/statement.ts'
import { defineExport } from './exportColumns.ts'
import { boundedText, monthDay, wholePeriod } from './fields.ts'
import { member, paging, router } from './trpc.ts'

export const usageRouter = router({
  /** For the meter that every page of the tenant shows. */
  meter: member('tenant.read').query(({ ctx }) => meter(ctx.member, ctx.member.tenant)),
  /** For charts: traffic per step of time, and what happened meanwhile. */
  series: member('traffic.read')
    .input(z.object({ site: z.uuid().optional() }).and(wholePeriod))
    .query(async ({ ctx, input }) => {
      const siteId = input.site === undefined ? undefined : (await findOwnSite(ctx.member, input.site)).id
      const [series, marks] = await Promise.all([
        usageSeries(ctx.member, { tenantId: ctx.member.tenant.id, siteId }, input),
        listChartMarks(ctx.member, input, siteId),
      ])
      return { ...series, marks }
    }),
  bySite: member('traffic.read')
    .input(wholePeriod)
    .query(({ ctx, input }) => usageBySite(ctx.member, ctx.member.tenant, input)),
  /** The month by day and site; `month` is its first day. */
  statement: member('billing.read')
    .input(z.object({ month: monthDay }))
    .query(async ({ ctx, input }) => {
      const found = await statement(ctx.member, ctx.member.tenant, input.month)
      if (!found) throw new AppError('statement-not-found')
      return found
    }),
  alerts: member('usage.read').query(({ ctx }) => listAlerts(ctx.member, ctx.member.tenant)),
  setAlerts: member('usage.alert')
    .input(z.object({ percents: z.array(z.union(ALERT_PERCENTS.map((percent) => z.literal(percent)))).max(10) }))
    .mutation(({ ctx, input }) => setAlerts(ctx.member, ctx.member.tenant, input.percents)),
  /** Reaches staff by e-mail. */
  requestUnits: member('usage.request')
    .input(z.object({ units: z.int().min(1).max(1_000_000_000), why: boundedText(500) }))
    .mutation(({ ctx, input }) => requestUnits(ctx.member, input)),
  months: member('billing.read').query(({ ctx }) => listMonths(ctx.member, ctx.member.tenant)),
  entries: member('billing.read')
    .input(paging)
    .query(({ ctx, input }) => listEntries(ctx.member, ctx.member.tenant, input)),
})

/** The lines of a month's statement. */
export const statementExport = defineExport({
  permission: 'billing.read',
  input: z.object({ month: monthDay }),
  async *rows(ctx, { month }) {
    const found = await statement(ctx, ctx.tenant, month)
    if (!found) throw new AppError('statement-not-found')
    yield* found.lines
  },
  columns: {
    day: ({ day }) => day,
    site: ({ name }) => name ?? '',
    site_id: ({ site }) => site,
    units_of_the_plan: ({ quota }) => quota,
    units_of_the_balance: ({ balance }) => balance,
    units: ({ quota, balance }) => quota + balance,
  },
})
