import type { FeedbackStatus } from '../../../prisma/client/enums.ts'
import type { SiteCtx } from '../../accounts/access.ts'
import type { SiteFacts } from '../../accounts/sites/facts.ts'
import { intentOfDecision } from '../../contract/ids.ts'
import type { ErrorCode } from '../../contract/mistakes/errors.ts'
import type { HotPool } from '../../kit/db/db.ts'
import { tenantPool } from '../../kit/db/tenantPool.ts'
import { AppError } from '../../kit/error.ts'
import { countFeedback, type FeedbackCount } from '../../ledger/usage/countFeedback.ts'
import { boundMisses, takeBackend } from '../limits/rules.ts'

export type FeedbackInput = {
  decisionId: string
  eventId: string
  outcome: 'confirmed_abuse' | 'legitimate' | 'unknown'
  businessType: string
  /** Unix seconds. */
  occurredAt: number
  supersedes?: string | undefined
}

/**
 * `expiresAt`: until when the feedback can be corrected, in Unix seconds. `latestEvent`: the decision's latest event, which is
 * another one if a repeated event has been superseded.
 */
export type Feedback = { eventId: string; revision: number; expiresAt: number; latestEvent: string }

type Row = { status: FeedbackStatus; revision: number; expires_at: number; counts: FeedbackCount | null }

const REPORT = {
  name: 'report_feedback',
  text: '/* report_feedback */ select * from report_feedback($1, $2, $3, $4, $5, $6, $7, $8, $9)',
}

const LATEST = {
  name: 'latest_feedback',
  text: `/* latest_feedback */ select event_id as id from feedback_event
    where decision_id = $1::uuid and tenant_id is not distinct from $2::uuid and site_id is not distinct from $3::uuid
    order by revision desc limit 1`,
}

/** What each status means to the caller: the event's revision, or the refusal. */
const OUTCOMES = {
  recorded: 'recorded',
  replayed: 'recorded',
  decision_unknown: 'bad-field',
  occurred_at_invalid: 'bad-field',
  event_conflict: 'event-conflict',
  feedback_closed: 'feedback-closed',
  supersede_required: 'supersede-required',
  supersede_stale: 'supersede-stale',
  rate_limited: 'rate-limited',
  site_disabled: 'site-disabled',
} as const satisfies Record<FeedbackStatus, ErrorCode | 'recorded'>

/**
 * Records what the merchant reports about a decision, as a new revision; the same event gets the same answer.
 * Of two concurrent corrections of one event, one wins. Changes no decision. Throws AppError; if the input does not supersede
 * the latest event, the error has that event's id, because it may be a correction in the console, which the backend does not know.
 */
export async function reportFeedback(ctx: SiteCtx, input: FeedbackInput): Promise<Feedback> {
  const taken = await takeBackend(ctx, 'feedback')
  const { feedback, counts } = await boundMisses(ctx, taken, () =>
    recordFeedback(tenantPool(ctx, ctx.site.tenantId), ctx.site, input, taken.retryAfter),
  )
  if (counts) countFeedback(ctx, ctx.site, { outcome: input.outcome, type: input.businessType }, counts)
  // a repetition does not count towards limits
  else await taken.giveBack()
  return feedback
}

/**
 * Like `reportFeedback`, in the connection or transaction of `runs`, and without counting: `counts` is for
 * `countFeedback` after the commit, null for a repetition. `retryAfter`: seconds to wait if the caller has reached its
 * limit, otherwise 0.
 */
export async function recordFeedback(
  runs: Pick<HotPool, 'query'>,
  site: Pick<SiteFacts, 'id' | 'tenantId' | 'enabled'>,
  input: FeedbackInput,
  retryAfter = 0,
): Promise<{ feedback: Feedback; counts: FeedbackCount | null }> {
  const decision = intentOfDecision(input.decisionId)
  if (decision === undefined) throw new AppError('bad-field', { field: 'decision_id' })
  const [row] = await runs.query<Row>(REPORT, [
    site.tenantId,
    site.id,
    decision,
    input.eventId,
    input.outcome,
    input.businessType,
    input.occurredAt,
    input.supersedes ?? null,
    retryAfter > 0 ? 'rate_limited' : site.enabled ? null : 'site_disabled',
  ])
  if (!row) throw new Error('report_feedback answered no row')
  const outcome = OUTCOMES[row.status]
  if (outcome === 'rate-limited') throw new AppError(outcome, { retryAfter })
  if (outcome === 'bad-field') {
    throw new AppError(outcome, { field: row.status === 'decision_unknown' ? 'decision_id' : 'occurred_at' })
  }
  if (outcome === 'supersede-required' || outcome === 'supersede-stale') {
    throw new AppError(outcome, { latestEvent: await findLatest(runs, site, decision) })
  }
  if (outcome !== 'recorded') throw new AppError(outcome)
  const { eventId } = input
  const later = row.status === 'replayed' ? await findLatest(runs, site, decision) : undefined
  return {
    feedback: { eventId, revision: row.revision, expiresAt: row.expires_at, latestEvent: later ?? eventId },
    counts: row.counts,
  }
}

/** The latest event of a decision, if it has one. */
async function findLatest(
  runs: Pick<HotPool, 'query'>,
  site: Pick<SiteFacts, 'id' | 'tenantId'>,
  decision: string,
): Promise<string | undefined> {
  const [row] = await runs.query<{ id: string }>(LATEST, [decision, site.tenantId, site.id])
  return row?.id
}
