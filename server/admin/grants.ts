import { z } from 'zod'
import { GRANT_STATES, listGrants } from '../accounts/sites/grants/list.ts'
import { restoreGrants } from '../accounts/sites/grants/restore.ts'
import { revokeGrantAsMember, revokeSessionAsMember } from '../accounts/sites/grants/revoke.ts'
import { wholePeriod } from './fields.ts'
import { member, router, scanPaging } from './trpc.ts'

const filters = z
  .object({
    state: z.enum(GRANT_STATES).optional(),
    site: z.uuid().optional(),
    session: z
      .string()
      .regex(/^[0-9a-f]{8,64}$/)
      .optional(),
  })
  .and(wholePeriod)

export const grantsRouter = router({
  list: member('grant.read')
    .input(scanPaging.and(filters))
    .query(({ ctx, input }) => listGrants(ctx.member, input)),
  revoke: member('grant.revoke')
    .input(z.object({ grant: z.uuid() }))
    .mutation(({ ctx, input }) => revokeGrantAsMember(ctx.member, input.grant)),
  /** All grants of the session at the tenant's sites. */
  revokeSession: member('grant.revoke')
    .input(z.object({ session: z.string().regex(/^[0-9a-f]{64}$/) }))
    .mutation(({ ctx, input }) => revokeSessionAsMember(ctx.member, input.session)),
  restore: member('grant.revoke')
    .input(z.object({ revocation: z.uuid() }))
    .mutation(({ ctx, input }) => restoreGrants(ctx.member, input.revocation)),
})
