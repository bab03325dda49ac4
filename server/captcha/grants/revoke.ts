import type { SiteCtx } from '../../accounts/access.ts'
import { tenantPool } from '../../kit/db/tenantPool.ts'
import { AppError } from '../../kit/error.ts'
import { boundMisses, takeBackend } from '../limits/rules.ts'

// Locks the row before reading it, in the order in which grants are used. A grant that was revoked a moment ago is revoked
// again: the console can undo its own revocation for 5 minutes, and must not undo a log-out with it.

const ONE = {
  name: 'revoke_grant',
  text: `/* revoke_grant */ with mine as (
      select id, tenant_id, revoked_at from captcha_grant
      where id = $1::uuid and tenant_id is not distinct from $2::uuid and site_id is not distinct from $3::uuid for update
    ), revoked as (
      update captcha_grant g set revoked_at = now() from mine
      where $4::boolean and g.id = mine.id and g.tenant_id is not distinct from mine.tenant_id
        and coalesce(mine.revoked_at, 'infinity') > now() - interval '5 minutes'
    )
    select count(*)::int as found, (count(*) filter (where revoked_at is null))::int as revoked from mine`,
}

const BY_SESSION = {
  name: 'revoke_session_grants',
  text: '/* revoke_session_grants */ select revoke_session_grants($1, $2, $3, $4) as revoked',
}

/** Revokes one grant of the site. Returns how many were revoked by this call: 1, or 0 if it was revoked before. */
export async function revokeGrant(ctx: SiteCtx, grantId: string): Promise<number> {
  return withinRate(ctx, async (allowed) => {
    const { tenantId, id } = ctx.site
    const [row] = await tenantPool(ctx, tenantId).query<{ found: number; revoked: number }>(ONE, [
      grantId,
      tenantId,
      id,
      allowed,
    ])
    if (!row?.found) throw new AppError('bad-field', { field: 'grant_id' })
    return row.revoked
  })
}

/** Revokes all grants of a session at the site (log-out). Returns how many. */
export async function revokeGrantsOfSession(ctx: SiteCtx, session: string): Promise<number> {
  return withinRate(ctx, async (allowed) => {
    const { tenantId, id } = ctx.site
    const [row] = await tenantPool(ctx, tenantId).query<{ revoked: number }>(BY_SESSION, [
      tenantId,
      id,
      session,
      allowed,
    ])
    return row?.revoked ?? 0
  })
}

/** A call that finds nothing to revoke repeats an earlier one: it does not count towards limits and is never refused. */
async function withinRate(ctx: SiteCtx, revoke: (allowed: boolean) => Promise<number>): Promise<number> {
  const taken = await takeBackend(ctx, 'revoke')
  const revoked = await boundMisses(ctx, taken, () => revoke(taken.retryAfter === 0))
  if (revoked > 0 && taken.retryAfter > 0) throw new AppError('rate-limited', { retryAfter: taken.retryAfter })
  if (revoked === 0) await taken.giveBack()
  return revoked
}
