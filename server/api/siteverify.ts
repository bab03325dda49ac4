import type { SiteCtx } from '../accounts/access.ts'
import { redeem } from '../captcha/redemption/redeem.ts'
import { SiteverifyRequest } from '../contract/wire.ts'
import { readFields } from './fields.ts'

/** POST /siteverify. The reply depends on the intent only, so that a repetition has the same bytes. */
export async function postSiteverify(ctx: SiteCtx, body: unknown) {
  const { response, intent_id, action, hostname, idempotency_key } = readFields(SiteverifyRequest, body)
  const decision = await redeem(ctx, { response, intentId: intent_id, action, hostname, key: idempotency_key })
  return {
    success: true,
    intent_id: decision.intentId,
    action: decision.action,
    hostname: decision.hostname,
    decision_id: decision.decisionId,
    assessment: 'passed',
  }
}
