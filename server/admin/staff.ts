import { z } from 'zod'
import { addNote } from '../accounts/staff/notes/add.ts'
import { listNotes } from '../accounts/staff/notes/list.ts'
import { recordStaffRead } from '../accounts/staff/recordRead.ts'
import { searchAnything } from '../accounts/staff/search.ts'
import { traceAnything } from '../accounts/staff/trace.ts'
import { explainRefusal } from '../captcha/refusals/explain.ts'
import { staffAuditFilters } from '../contract/filters.ts'
import { listStaffAudit } from '../ledger/audit/listStaff.ts'
import { usageOfAll } from '../ledger/usage/ofAll.ts'
import { explained } from './decisions.ts'
import { boundedText } from './fields.ts'
import { staffPeopleRouter, staffVisitorsRouter } from './staffErasure.ts'
import { staffJobsRouter } from './staffJobs.ts'
import { staffNetworksRouter } from './staffNetworks.ts'
import { staffQuotaRequestsRouter, staffRequestsRouter } from './staffRequests.ts'
import { staffSystemRouter } from './staffSystem.ts'
import { staffTenantsRouter } from './staffTenants.ts'
import { freshStaff, paging, router, staff } from './trpc.ts'

/** For staff, who read data of other tenants. */
export const staffRouter = router({
  /** A mutation although it changes nothing: the pasted text may be a secret, which must not be in a URL or in a log of one. */
  search: staff('support')
    .input(z.object({ text: boundedText(500) }))
    .mutation(({ ctx, input }) => searchAnything(ctx.staff, input.text)),
  trace: staff('support')
    .input(z.object({ id: boundedText(64) }))
    .query(async ({ ctx, input }) => {
      const { trace, refusal, ...found } = await traceAnything(ctx.staff, input.id)
      const refused = refusal ? [refusal] : (trace?.refusals ?? [])
      const refusals = refused.map((row) => ({ ...row, ...explainRefusal(row.code, row.field) }))
      return { ...found, refusal, refusals, trace: trace && explained(trace) }
    }),
  notes: staff('support')
    .input(z.union([z.object({ subject: z.uuid() }), z.object({ tenant: z.uuid() })]))
    .query(({ ctx, input }) => listNotes(ctx.staff, input)),
  addNote: freshStaff('support')
    .input(z.object({ subject: z.uuid(), tenant: z.uuid(), text: boundedText(5000) }))
    .mutation(({ ctx, input }) => addNote(ctx.staff, input)),
  usage: staff('support')
    .input(
      z.object({
        month: z
          .string()
          .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
          .optional(),
      }),
    )
    .query(async ({ ctx, input }) => {
      await recordStaffRead(ctx.staff, { action: 'staff.list', target: 'usage', ...(input.month && { after: input }) })
      return usageOfAll(ctx.staff, input.month)
    }),
  audit: staff('lead')
    .input(paging.extend(staffAuditFilters.shape))
    .query(async ({ ctx, input: { cursor, limit, ...filters } }) => {
      await recordStaffRead(ctx.staff, { action: 'staff.list', target: 'audit', after: filters })
      return listStaffAudit(ctx.staff, { cursor, limit, ...filters })
    }),
  jobs: staffJobsRouter,
  networks: staffNetworksRouter,
  people: staffPeopleRouter,
  quotaRequests: staffQuotaRequestsRouter,
  requests: staffRequestsRouter,
  tenants: staffTenantsRouter,
  visitors: staffVisitorsRouter,
  system: staffSystemRouter,
})
