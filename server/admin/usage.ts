import { z } from 'zod'
import { listAlerts, setAlerts } from '../accounts/plans/alerts/set.ts'
import { requestUnits } from '../accounts/plans/requests/ask.ts'
import { latestRequest } from '../accounts/plans/requests/read.ts'
import { ownSites } from '../accounts/sites/find.ts'
import { listChartMarks } from '../captcha/incidents/chartMarks.ts'
import { ALERT_PERCENTS } from '../contract/alerts.ts'
import { amountFor } from '../contract/unitPrice.ts'
import { AppError } from '../kit/error.ts'
import { usageBySite } from '../ledger/usage/bySite.ts'
import { listEntries } from '../ledger/usage/entries.ts'
import { meter } from '../ledger/usage/meter.ts'
import { listMonths } from '../ledger/usage/months.ts'
import { usageSeries } from '../ledger/usage/series.ts'
import { type StatementEntry, type StatementLine, statement } from '../ledger/usage/statement.ts'
import { defineExport } from './exportColumns.ts'
import { boundedText, monthDay, wholePeriod } from './fields.ts'
import { member, paging, rest, router } from './trpc.ts'

export const usageRouter = router({
  /** For the meter that every page of the tenant shows. */
  meter: member('tenant.read')
    .meta(rest('GET /usage/meter', 'The units of this month and the balance'))
    .query(({ ctx }) => meter(ctx.member, ctx.member.tenant)),
  /** For charts: traffic per step of time, and what happened meanwhile. */
  series: member('traffic.read')
    .meta(rest('GET /usage', 'Traffic over time'))
    .input(z.object({ site: z.uuid().optional() }).and(wholePeriod))
    .query(async ({ ctx, input }) => {
      const tenant = await ownSites(ctx.member, input.site)
      const [series, marks] = await Promise.all([
        usageSeries(ctx.member, tenant, input),
        listChartMarks(ctx.member, tenant, input),
      ])
      return { ...series, marks }
    }),
  bySite: member('traffic.read')
    .meta(rest('GET /usage/sites', 'Traffic by site', { object: 'sites' }))
    .input(wholePeriod)
    .query(({ ctx, input }) => usageBySite(ctx.member, ctx.member.tenant, input)),
  /** The month by day and site; `month` is its first day. */
  statement: member('billing.read')
    .meta(rest('GET /statements/{month}', 'The statement of a month, by its first day'))
    .input(z.object({ month: monthDay }))
    .query(async ({ ctx, input }) => {
      const found = await statement(ctx.member, ctx.member.tenant, input.month)
      if (!found) throw new AppError('statement-not-found')
      const { seller = null, unitPrice } = ctx.member.config
      return { ...found, seller, price: unitPrice ?? null, amount: amountFor(found.quota + found.balance, unitPrice) }
    }),
  alerts: member('usage.read')
    .meta(rest('GET /usage/alerts', 'The percentages of the quota at which an alert is sent'))
    .query(({ ctx }) => listAlerts(ctx.member, ctx.member.tenant)),
  setAlerts: member('usage.alert')
    .meta(rest('PUT /usage/alerts', 'Set them'))
    .input(z.object({ percents: z.array(z.union(ALERT_PERCENTS.map((percent) => z.literal(percent)))).max(10) }))
    .mutation(({ ctx, input }) => setAlerts(ctx.member, ctx.member.tenant, input.percents)),
  /** The latest request for more units, or null. */
  request: member('usage.read').query(({ ctx }) => latestRequest(ctx.member, ctx.member.tenant)),
  requestUnits: member('usage.request')
    .input(z.object({ units: z.int().min(1).max(1_000_000_000), reason: boundedText(500) }))
    .mutation(({ ctx, input }) => requestUnits(ctx.member, input)),
  months: member('billing.read')
    .meta(rest('GET /statements', 'List the months that have a statement'))
    .input(paging.extend({ cursor: monthDay.optional() }))
    .query(({ ctx, input }) => listMonths(ctx.member, ctx.member.tenant, input)),
  entries: member('billing.read')
    .input(paging)
    .query(({ ctx, input }) => listEntries(ctx.member, ctx.member.tenant, input)),
})

type ExportedLine = {
  day: string
  kind: 'opening balance' | 'balance entry' | 'units used' | 'closing balance'
  entry?: StatementEntry
  line?: StatementLine
  /** What it adds to the balance. */
  balance: number
}

const dayOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)

/** The lines of a month's statement: the balance of all others adds up to that of the last. */
export const statementExport = defineExport({
  permission: 'billing.read',
  input: z.object({ month: monthDay }),
  async *rows(ctx, { month }): AsyncGenerator<ExportedLine> {
    const found = await statement(ctx, ctx.tenant, month)
    if (!found) throw new AppError('statement-not-found')
    yield { day: month, kind: 'opening balance', balance: found.opening }
    for (const entry of found.entries)
      yield { day: dayOf(entry.createdAt), kind: 'balance entry', entry, balance: entry.units }
    for (const line of found.lines) yield { day: line.day, kind: 'units used', line, balance: -line.balance }
    const last = new Date(month)
    last.setUTCMonth(last.getUTCMonth() + 1, 0)
    const today = dayOf(Date.now() / 1000)
    const end = last.toISOString().slice(0, 10)
    yield { day: end < today ? end : today, kind: 'closing balance', balance: found.closing }
  },
  columns: {
    day: ({ day }) => day,
    kind: ({ kind }) => kind,
    reason: ({ entry }) => entry?.reason ?? '',
    entry_id: ({ entry }) => entry?.id ?? '',
    undoes_entry_id: ({ entry }) => entry?.undoes ?? '',
    site: ({ line }) => line?.name ?? '',
    site_id: ({ line }) => line?.site ?? '',
    units_of_the_quota: ({ line }) => line?.quota ?? '',
    units_of_the_balance: ({ line }) => line?.balance ?? '',
    units: ({ line }) => (line ? line.quota + line.balance : ''),
    balance: ({ balance }) => balance,
  },
})
