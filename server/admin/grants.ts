import { z } from 'zod'
import { listGrants } from '../accounts/sites/grants/list.ts'
import { restoreGrants } from '../accounts/sites/grants/restore.ts'
import { revokeGrantAsMember, revokeSessionAsMember } from '../accounts/sites/grants/revoke.ts'
import { GRANT_DEFAULTS } from '../captcha/grants/issue.ts'
import { issueAsMember } from '../captcha/grants/issueAsMember.ts'
import { grantFilters } from '../contract/filters.ts'
import { wholePeriod } from './fields.ts'
import { member, rest, router, scanPaging } from './trpc.ts'

const filters = z.object(grantFilters.shape).and(wholePeriod)

export const grantsRouter = router({
  list: member('grant.read')
    .meta(rest('GET /grants', 'List grants'))
    .input(scanPaging.and(filters))
    .query(({ ctx, input }) => listGrants(ctx.member, input)),
  /** The grant of a decision, by its intent's id; the same values give the same grant. `ttl` in seconds. */
  issue: member('grant.issue')
    .input(
      z.object({
        decision: z.uuid(),
        ttl: z.int().min(60).max(3600).default(GRANT_DEFAULTS.ttl),
        uses: z.int().min(1).max(10).default(GRANT_DEFAULTS.uses),
      }),
    )
    .mutation(({ ctx, input }) => issueAsMember(ctx.member, input)),
  revoke: member('grant.revoke')
    .meta(rest('DELETE /grants/{grant}', 'Revoke a grant', { object: 'grant' }))
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
