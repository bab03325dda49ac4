import { z } from 'zod'
import { deleteTenant } from '../accounts/tenants/delete.ts'
import { foundTenant } from '../accounts/tenants/found.ts'
import { updateTenant } from '../accounts/tenants/update.ts'
import { viewTenant } from '../accounts/tenants/view.ts'
import { fresh, member, router, signedIn } from './trpc.ts'

const text = z.string().max(200)

export const tenantsRouter = router({
  create: signedIn
    .input(z.object({ name: text, slug: text.optional() }))
    .mutation(({ ctx, input }) => foundTenant(ctx.user, input)),
  get: member('tenant.read').query(({ ctx }) => viewTenant(ctx.member)),
  update: member('tenant.write')
    .input(z.object({ name: text.optional(), slug: text.optional(), require2fa: z.boolean().optional() }))
    .mutation(({ ctx, input }) => updateTenant(ctx.member, input)),
  delete: fresh('tenant.delete')
    .input(z.object({ confirm: text }))
    .mutation(({ ctx, input }) => deleteTenant(ctx.member, input)),
})
