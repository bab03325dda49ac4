import { z } from 'zod'
import { approveUnits, rejectUnits } from '../accounts/staff/requests/decide.ts'
import { listUnitRequests } from '../accounts/staff/requests/list.ts'
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
