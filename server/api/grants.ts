import type { SiteCtx } from '../accounts/access.ts'
import { GRANT_DEFAULTS, issueGrant } from '../captcha/grants/issue.ts'
import { revokeGrant, revokeGrantsOfSession } from '../captcha/grants/revoke.ts'
import { GrantRequest, RevokeRequest } from '../contract/wire.ts'
import { readFields } from './fields.ts'

/** POST /grants */
export async function postGrants(ctx: SiteCtx, body: unknown) {
  const { decision_id, session, ttl = GRANT_DEFAULTS.ttl, uses = GRANT_DEFAULTS.uses } = readFields(GrantRequest, body)
  const grant = await issueGrant(ctx, { decisionId: decision_id, session, ttl, uses })
  return { grant_id: grant.grantId, expires_at: grant.expiresAt, uses: grant.uses }
}

/** POST /grants/revoke: one grant by its id, or all of a session. */
export async function postGrantsRevoke(ctx: SiteCtx, body: unknown) {
  // with neither, the first is missing; with both, the second is refused
  const { grant_id, session } = readFields(RevokeRequest, body, {
    grant_id: (value, others) => value !== undefined || others.has('session'),
    session: (value, others) => value === undefined || !others.has('grant_id'),
  })
  if (grant_id !== undefined) return { revoked: await revokeGrant(ctx, grant_id) }
  return { revoked: await revokeGrantsOfSession(ctx, session ?? '') }
}
