import { z } from 'zod'
import { ownSites } from '../accounts/sites/find.ts'
import { explainRefusal } from '../captcha/refusals/explain.ts'
import { refusalFilters } from '../contract/filters.ts'
import { listRefusals } from '../ledger/refusals/list.ts'
import { usageSeries } from '../ledger/usage/series.ts'
import { defineExport, eachOf } from './exportColumns.ts'
import { wholePeriod } from './fields.ts'
import { member, rest, router, scanPaging } from './trpc.ts'

const filters = z.object(refusalFilters.shape).and(wholePeriod)

export const refusalsRouter = router({
  list: member('refusal.read')
    .meta(rest('GET /refusals', 'List refused requests'))
    .input(scanPaging.and(filters))
    .query(async ({ ctx, input }) => {
      const { rows, nextCursor } = await listRefusals(ctx.member, ctx.member.tenant, input)
      return { rows: rows.map((row) => ({ ...row, ...explainRefusal(row.code, row.field) })), nextCursor }
    }),
  /** Counts by endpoint, code and field, with the likely fix. */
  groups: member('refusal.read')
    .input(z.object({ site: z.uuid().optional() }).and(wholePeriod))
    .query(async ({ ctx, input }) => {
      const { refusals, comparable } = await usageSeries(ctx.member, await ownSites(ctx.member, input.site), input)
      return refusals.map((group) => ({ ...group, comparable, ...explainRefusal(group.code, group.field) }))
    }),
})

export const refusalsExport = defineExport({
  permission: 'refusal.read',
  input: filters,
  rows: (ctx, input) => eachOf((cursor) => listRefusals(ctx, ctx.tenant, { ...input, cursor, limit: 1000 })),
  columns: {
    time: ({ at }) => new Date(at * 1000).toISOString(),
    request_id: ({ id }) => id,
    site: ({ site }) => site.name ?? '',
    site_id: ({ site }) => site.id,
    endpoint: ({ endpoint }) => endpoint,
    status: ({ code, field }) => explainRefusal(code, field).status,
    error: ({ code, field }) => explainRefusal(code, field).error,
    field: ({ field }) => field ?? '',
    hostname: ({ hostname }) => hostname ?? '',
    intent_id: ({ intentId }) => intentId ?? '',
    secret: ({ keyHint }) => keyHint ?? '',
  },
})
