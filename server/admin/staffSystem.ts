import { askReconciliation } from '../accounts/staff/askReconciliation.ts'
import { viewSystem } from '../ledger/system/view.ts'
import { router, staff } from './trpc.ts'

export const staffSystemRouter = router({
  view: staff('lead').query(({ ctx }) => viewSystem(ctx.staff, ctx.facts)),
  reconcile: staff('lead').mutation(({ ctx }) => askReconciliation(ctx.staff)),
})
