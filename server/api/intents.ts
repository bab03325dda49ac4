import type { SiteCtx } from '../accounts/access.ts'
import { openIntent } from '../captcha/intents/open.ts'
import { readFields } from './fields.ts'
import { IntentRequest } from './schema.ts'

/** POST /intents */
export async function postIntents(ctx: SiteCtx, body: unknown) {
  const intent = await openIntent(
    ctx,
    readFields(IntentRequest, body, { hostname: (value) => ctx.site.allows(String(value)) }),
  )
  return {
    intent_id: intent.intentId,
    sitekey: intent.sitekey,
    action: intent.action,
    hostname: intent.hostname,
    expires_at: intent.expiresAt,
  }
}
