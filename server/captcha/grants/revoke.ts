import type { SiteCtx } from '../../accounts/access.ts'
import { Refusal } from '../../kit/refusal.ts'

const ONE = {
  name: 'revoke_grant',
  text: `/* revoke_grant */ with mine as (
      select id, tenant_id from captcha_grant where id = $1::uuid and tenant_id is not distinct from $2::uuid and site_id is not distinct from $3::uuid
    ), revoked as (
      update captcha_grant g set revoked_at = now() from mine
      where g.id = mine.id and g.tenant_id is not distinct from mine.tenant_id and g.revoked_at is null returning 1
    )
    select (select count(*) from mine)::int as found, (select count(*) from revoked)::int as revoked`,
}

const BY_SESSION = {
  name: 'revoke_grants_of_session',
  text: `/* revoke_grants_of_session */ with revoked as (
      update captcha_grant set revoked_at = now()
      where site_id = $1::uuid and session = $2 and tenant_id is not distinct from $3::uuid and revoked_at is null returning 1
    )
    select count(*)::int as revoked from revoked`,
}

/** Revokes one grant of the site. Returns how many were revoked by this call: 1, or 0 when it was revoked before. */
export async function revokeGrant(ctx: SiteCtx, grantId: string): Promise<number> {
  const [row] = await ctx.road.query<{ found: number; revoked: number }>(ONE, [grantId, ctx.site.tenantId, ctx.site.id])
  if (!row?.found) throw new Refusal('bad-field', { field: 'grant_id' })
  return row.revoked
}

/** Revokes all grants of a session at the site (log-out). Returns how many. */
export async function revokeGrantsOfSession(ctx: SiteCtx, session: string): Promise<number> {
  const [row] = await ctx.road.query<{ revoked: number }>(BY_SESSION, [ctx.site.id, session, ctx.site.tenantId])
  return row?.revoked ?? 0
}
