import { z } from 'zod'
import { auditFilters } from '../contract/filters.ts'
import { AppError } from '../kit/error.ts'
import { listAudit } from '../ledger/audit/list.ts'
import { defineExport, eachOf } from './exportColumns.ts'
import { period } from './fields.ts'
import { member, paging, rest, router } from './trpc.ts'

const filters = z.object({ ...auditFilters.shape, ...period.shape })

export const auditRouter = router({
  list: member('audit.read')
    .meta(rest('GET /audit', 'List changes'))
    .input(paging.extend(filters.shape))
    .query(({ ctx, input }) => listAudit(ctx.member, ctx.member.tenant, input)),
  /** One event, for its own page. */
  get: member('audit.read')
    .input(z.object({ id: z.uuid() }))
    .query(async ({ ctx, input }) => {
      const { rows } = await listAudit(ctx.member, ctx.member.tenant, { ...input, limit: 1 })
      if (!rows[0]) throw new AppError('event-not-found')
      return rows[0]
    }),
})

export const auditExport = defineExport({
  permission: 'audit.read',
  input: filters,
  rows: (ctx, input) => eachOf((cursor) => listAudit(ctx, ctx.tenant, { ...input, cursor, limit: 1000 })),
  columns: {
    time: ({ createdAt }) => new Date(createdAt * 1000).toISOString(),
    actor: ({ actor }) => actor.name,
    email: ({ actor }) => actor.email,
    kind: ({ actor }) => actor.kind,
    action: ({ action }) => action,
    target: ({ target }) => target,
    target_name: ({ targetName }) => targetName,
    before: ({ before }) => (before === null ? '' : JSON.stringify(before)),
    after: ({ after }) => (after === null ? '' : JSON.stringify(after)),
    id: ({ id }) => id,
  },
})
