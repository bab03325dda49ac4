import type { FastifyReply } from 'fastify'
import type { SiteCtx } from '../accounts/access.ts'
import { reportFeedback } from '../captcha/feedback/report.ts'
import { FeedbackRequest } from '../contract/wire.ts'
import { readFields } from './fields.ts'

/** POST /feedback. The latest event is in a header, because a repetition has the same body. */
export async function postFeedback(ctx: SiteCtx, body: unknown, reply: FastifyReply) {
  const fields = readFields(FeedbackRequest, body)
  const feedback = await reportFeedback(ctx, {
    decisionId: fields.decision_id,
    eventId: fields.event_id,
    outcome: fields.outcome,
    businessType: fields.business_type,
    occurredAt: fields.occurred_at,
    supersedes: fields.supersedes_event_id,
  })
  void reply.header('tollgate-latest-event', feedback.latestEvent)
  return { accepted: true, event_id: feedback.eventId, revision: feedback.revision, expires_at: feedback.expiresAt }
}
