import { z } from 'zod'
import { AccountError } from '../accounts/error.ts'
import { listAudit } from '../ledger/audit/list.ts'
import { member, paging, router } from './trpc.ts'

const part = z.string().max(200).optional()

export const auditRouter = router({
  list: member('audit.read')
    .input(paging.extend({ actor: part, action: part, target: part, text: part }))
    .query(({ ctx, input }) => listAudit(ctx.member, ctx.member.tenant, input)),
  /** One event, for its own address: it may stand far down in the list. */
  get: member('audit.read')
    .input(z.object({ id: z.uuid() }))
    .query(async ({ ctx, input }) => {
      const { rows } = await listAudit(ctx.member, ctx.member.tenant, { ...input, limit: 1 })
      if (!rows[0]) throw new AccountError('not-found', 'There is no such event.')
      return rows[0]
    }),
})
