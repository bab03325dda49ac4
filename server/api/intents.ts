import type { SiteCtx } from '../accounts/access.ts'
import { openIntent } from '../captcha/intents/open.ts'
import { readFields } from './fields.ts'
import { IntentRequest } from './schema.ts'

/** POST /intents */
export async function postIntents(ctx: SiteCtx, body: unknown) {
  const fields = readFields(IntentRequest, body, {
    hostname: (value) => typeof value === 'string' && ctx.site.allows(value),
    // a grant is good for one session, so it says nothing without
    session: (value, others) => value !== undefined || !others.has('trusted_grant_id'),
  })
  const { action, nonce, hostname, session, subject, trusted_grant_id: grantId } = fields
  const intent = await openIntent(ctx, { action, nonce, hostname, session, subject, grantId })
  return {
    intent_id: intent.intentId,
    sitekey: intent.sitekey,
    action: intent.action,
    hostname: intent.hostname,
    expires_at: intent.expiresAt,
  }
}
