import { askReconciliation } from '../accounts/staff/askReconciliation.ts'
import { viewSystem } from '../ledger/system/view.ts'
import { freshStaff, router, staff } from './trpc.ts'

export const staffSystemRouter = router({
  view: staff('lead').query(({ ctx }) => viewSystem(ctx.staff, ctx.facts)),
  reconcile: freshStaff('lead').mutation(({ ctx }) => askReconciliation(ctx.staff)),
})
