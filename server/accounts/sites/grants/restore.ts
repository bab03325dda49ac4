import { AppError } from '../../../kit/error.ts'
import type { MemberCtx } from '../../access.ts'
import { change } from '../../change.ts'

/** `grants`: those that are active again. */
export type Restored = { grants: string[] }

/**
 * Undoes a revocation of the last 5 minutes: restores the grants that it revoked, unless they have expired. A grant that
 * was revoked again since, for example at a log-out, stays revoked. Throws AppError.
 */
export async function restoreGrants(ctx: MemberCtx, revocation: string): Promise<Restored> {
  return change(ctx, async (ctx) => {
    const revoked = await ctx.prisma.grantRevocation.findFirst({
      where: { id: revocation, tenantId: ctx.tenant.id },
      select: { target: true },
    })
    if (!revoked) throw new AppError('revocation-not-found')
    const rows = await ctx.prisma.$queryRaw<{ id: string }[]>`
      with mine as (
        select g.id from grant_revocation r
        join captcha_grant g on g.id = any(r.grant_ids) and g.tenant_id = r.tenant_id
        where r.id = ${revocation}::uuid and r.tenant_id = ${ctx.tenant.id}::uuid and g.revoked_at = r.revoked_at
          and g.revoked_at > now() - interval '5 minutes' and g.expires_at > now()
        order by g.id for update of g
      )
      update captcha_grant g set revoked_at = null from mine where g.id = mine.id and g.tenant_id = ${ctx.tenant.id}::uuid
      returning g.id::text`
    const grants = rows.map(({ id }) => id).toSorted()
    if (grants.length === 0) throw new AppError('restore-too-late')
    return {
      out: { grants },
      change: {
        tenantId: ctx.tenant.id,
        action: 'grant.restore',
        target: revoked.target,
        before: { revocation },
        after: { grants },
      },
    }
  })
}
