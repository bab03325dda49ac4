import type { SiteCtx } from '../accounts/access.ts'
import { openIntent } from '../captcha/intents/open.ts'
import { IntentRequest } from '../contract/wire.ts'
import { readFields } from './fields.ts'

/** POST /intents */
export async function postIntents(ctx: SiteCtx, body: unknown) {
  const fields = readFields(IntentRequest, body, {
    hostname: (value) => typeof value === 'string' && ctx.site.allows(value),
  })
  const intent = await openIntent(ctx, fields)
  return {
    intent_id: intent.intentId,
    sitekey: intent.sitekey,
    action: intent.action,
    hostname: intent.hostname,
    expires_at: intent.expiresAt,
  }
}
