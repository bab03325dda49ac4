import { z } from 'zod'
import { createOwnTenant } from '../accounts/tenants/createOwn.ts'
import { deleteTenant } from '../accounts/tenants/delete.ts'
import { searchTenant } from '../accounts/tenants/search.ts'
import { viewSummary } from '../accounts/tenants/summary.ts'
import { updateTenant } from '../accounts/tenants/update.ts'
import { viewTenant } from '../accounts/tenants/view.ts'
import { viewOngoing } from '../captcha/incidents/view.ts'
import { boundedText } from './fields.ts'
import { fresh, member, router, signedIn } from './trpc.ts'

const text = boundedText(200)

export const tenantsRouter = router({
  create: signedIn
    .input(z.object({ name: text, slug: text.optional() }))
    .mutation(({ ctx, input }) => createOwnTenant(ctx.user, input)),
  get: member('tenant.read').query(({ ctx }) => viewTenant(ctx.member)),
  /** For the overview, in one request with the session: also what is going on, if the role may read it. */
  summary: member('tenant.read').query(async ({ ctx: { member } }) => {
    const [summary, ongoing] = await Promise.all([
      viewSummary(member),
      member.allows('decision.read') ? viewOngoing(member) : { incidents: [], attacks: [] },
    ])
    return { ...summary, ongoing }
  }),
  /** Each kind of result only if the role may read it. */
  search: member('tenant.read')
    .input(z.object({ text: boundedText(500) }))
    .query(({ ctx, input }) => searchTenant(ctx.member, input.text)),
  rename: member('tenant.write')
    .input(z.object({ name: text }))
    .mutation(({ ctx, input: { name } }) => updateTenant(ctx.member, { name })),
  /** Changes every address of the tenant, or who has access, so it needs a fresh session. */
  update: fresh('tenant.write')
    .input(z.object({ slug: text.optional(), require2fa: z.boolean().optional() }))
    .mutation(({ ctx, input: { slug, require2fa } }) => updateTenant(ctx.member, { slug, require2fa })),
  delete: fresh('tenant.delete')
    .input(z.object({ confirm: text }))
    .mutation(({ ctx, input }) => deleteTenant(ctx.member, input)),
})
