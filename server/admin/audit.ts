import { z } from 'zod'
import { listAudit } from '../ledger/audit/list.ts'
import { member, paging, router } from './trpc.ts'

const part = z.string().max(200).optional()

export const auditRouter = router({
  list: member('audit.read')
    .input(paging.extend({ actor: part, action: part, target: part, text: part }))
    .query(({ ctx, input }) => listAudit(ctx.member, ctx.member.tenant, input)),
})
