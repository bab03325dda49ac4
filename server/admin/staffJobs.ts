import { z } from 'zod'
import { deleteJob, retryJob } from '../accounts/staff/jobs/decide.ts'
import { listFailedJobs } from '../accounts/staff/jobs/list.ts'
import { freshStaff, router, staff } from './trpc.ts'

const job = z.object({ id: z.string().regex(/^\d{1,18}$/) })

/** Jobs that have failed. */
export const staffJobsRouter = router({
  list: staff('lead').query(({ ctx }) => listFailedJobs(ctx.staff)),
  retry: freshStaff('lead')
    .input(job)
    .mutation(({ ctx, input }) => retryJob(ctx.staff, input)),
  delete: freshStaff('lead')
    .input(job)
    .mutation(({ ctx, input }) => deleteJob(ctx.staff, input)),
})
