import { z } from 'zod'
import { adjustBalance, undoBalance } from '../accounts/staff/adjustBalance.ts'
import { adjustQuota, undoQuota } from '../accounts/staff/adjustQuota.ts'
import { previewSuspension, restoreTenant, suspendTenant } from '../accounts/staff/suspend.ts'
import { listAllTenants } from '../accounts/staff/tenants/list.ts'
import { viewAnyTenant } from '../accounts/staff/tenants/view.ts'
import { endViewAs } from '../accounts/staff/viewAs/end.ts'
import { startViewAs } from '../accounts/staff/viewAs/start.ts'
import { tenantFilters } from '../contract/filters.ts'
import { boundedText, quota, UNITS_MAX } from './fields.ts'
import { freshStaff, paging, router, staff } from './trpc.ts'

/** An id or a slug. */
const tenant = z.object({ tenant: boundedText(64) })
const why = tenant.extend({ reason: boundedText(1000) })

export const staffTenantsRouter = router({
  list: staff('support')
    .input(paging.extend(tenantFilters.shape))
    .query(({ ctx, input }) => listAllTenants(ctx.staff, input)),
  get: staff('support')
    .input(tenant)
    .query(({ ctx, input }) => viewAnyTenant(ctx.staff, input)),
  adjustQuota: freshStaff('support')
    .input(why.extend({ units: quota }))
    .mutation(({ ctx, input }) => adjustQuota(ctx.staff, input)),
  undoQuota: freshStaff('support')
    .input(tenant.extend({ event: z.uuid() }))
    .mutation(({ ctx, input }) => undoQuota(ctx.staff, input)),
  adjustBalance: freshStaff('support')
    .input(why.extend({ units: z.int().min(-UNITS_MAX).max(UNITS_MAX) }))
    .mutation(({ ctx, input }) => adjustBalance(ctx.staff, input)),
  undoBalance: freshStaff('support')
    .input(tenant.extend({ entry: z.uuid() }))
    .mutation(({ ctx, input }) => undoBalance(ctx.staff, input)),
  viewAs: freshStaff('support')
    .input(why)
    .mutation(({ ctx, input }) => startViewAs(ctx.staff, input)),
  endViewAs: staff('support')
    .input(tenant)
    .mutation(({ ctx, input }) => endViewAs(ctx.staff, input)),
  previewSuspension: staff('lead')
    .input(tenant)
    .query(({ ctx, input }) => previewSuspension(ctx.staff, input)),
  suspend: freshStaff('lead')
    .input(why.extend({ confirm: boundedText(64) }))
    .mutation(({ ctx, input }) => suspendTenant(ctx.staff, input)),
  restore: freshStaff('lead')
    .input(why)
    .mutation(({ ctx, input }) => restoreTenant(ctx.staff, input)),
})
