import { z } from 'zod'
import { approveQuotaRequest, declineQuotaRequest } from '../accounts/staff/quotaRequests/answer.ts'
import { listQuotaRequests } from '../accounts/staff/quotaRequests/list.ts'
import { approveUnits, rejectUnits } from '../accounts/staff/requests/decide.ts'
import { listUnitRequests } from '../accounts/staff/requests/list.ts'
import { boundedText, quota } from './fields.ts'
import { freshStaff, router, staff } from './trpc.ts'

const request = z.object({ id: z.uuid() })

/** Changes of units that need a second lead. */
export const staffRequestsRouter = router({
  /** `most`: the units that a lead may change without another. */
  list: staff('lead').query(async ({ ctx }) => ({
    rows: await listUnitRequests(ctx.staff),
    most: ctx.staff.config.leadUnitsMax,
  })),
  approve: freshStaff('lead')
    .input(request)
    .mutation(({ ctx, input }) => approveUnits(ctx.staff, input)),
  reject: freshStaff('lead')
    .input(request)
    .mutation(({ ctx, input }) => rejectUnits(ctx.staff, input)),
})

const answer = request.extend({ answer: boundedText(1000) })

/** What tenants ask for. */
export const staffQuotaRequestsRouter = router({
  list: staff('support').query(({ ctx }) => listQuotaRequests(ctx.staff)),
  approve: freshStaff('support')
    .input(answer.extend({ units: quota }))
    .mutation(({ ctx, input }) => approveQuotaRequest(ctx.staff, input)),
  decline: freshStaff('support')
    .input(answer)
    .mutation(({ ctx, input }) => declineQuotaRequest(ctx.staff, input)),
})
