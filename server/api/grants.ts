import type { SiteCtx } from '../accounts/access.ts'
import { issueGrant } from '../captcha/grants/issue.ts'
import { revokeGrant, revokeGrantsOfSession } from '../captcha/grants/revoke.ts'
import { Refusal } from '../kit/refusal.ts'
import { readFields } from './fields.ts'
import { GrantRequest, RevokeRequest } from './schema.ts'

const DEFAULT_TTL = 900

/** POST /grants */
export async function postGrants(ctx: SiteCtx, body: unknown) {
  const { decision_id, session, ttl = DEFAULT_TTL, uses = 1 } = readFields(GrantRequest, body)
  const grant = await issueGrant(ctx, { decisionId: decision_id, session, ttl, uses })
  return { grant_id: grant.grantId, expires_at: grant.expiresAt, uses: grant.uses }
}

/** POST /grants/revoke: one grant by its id, or all of a session. */
export async function postGrantsRevoke(ctx: SiteCtx, body: unknown) {
  const { grant_id, session } = readFields(RevokeRequest, body)
  if (grant_id !== undefined && session === undefined) return { revoked: await revokeGrant(ctx, grant_id) }
  if (session !== undefined && grant_id === undefined) return { revoked: await revokeGrantsOfSession(ctx, session) }
  // neither: the first is missing; both: the second is one too many
  throw new Refusal('bad-field', { field: grant_id === undefined ? 'grant_id' : 'session' })
}
