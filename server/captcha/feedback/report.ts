import type { SiteCtx } from '../../accounts/access.ts'
import { intentOfDecision } from '../../kit/ids.ts'
import { Refusal, type RefusalCode } from '../../kit/refusal.ts'
import { type Counted, countFeedback } from '../../ledger/usage/countFeedback.ts'
import { backendLimits } from '../limits/rules.ts'
import { takeAll } from '../limits/take.ts'

export type FeedbackInput = {
  decisionId: string
  eventId: string
  outcome: 'confirmed_abuse' | 'legitimate' | 'unknown'
  businessType: string
  /** Unix seconds. */
  occurredAt: number
  supersedes?: string | undefined
}

/** `expiresAt`: until when the feedback can be corrected, in Unix seconds. */
export type Feedback = { eventId: string; revision: number; expiresAt: number }

type Row = { code: string; revision: number; expires_at: number; counts: Counted | null }

const REPORT = {
  name: 'report_feedback',
  text: '/* report_feedback */ select * from report_feedback($1, $2, $3, $4, $5, $6, $7, $8, $9)',
}

const REFUSED: Record<string, RefusalCode> = {
  p: 'site-disabled',
  e: 'event-conflict',
  c: 'feedback-closed',
  s: 'supersede-required',
  S: 'supersede-stale',
}

/**
 * Records what the merchant found out about a decision, as a new revision; the same event gives the same answer.
 * Of two corrections of one event at once, one wins. Changes no decision and bans nobody.
 */
export async function reportFeedback(ctx: SiteCtx, input: FeedbackInput): Promise<Feedback> {
  const decision = intentOfDecision(input.decisionId)
  if (decision === undefined) throw new Refusal('bad-field', { field: 'decision_id' })
  const { site } = ctx
  const taken = await takeAll(ctx, backendLimits(ctx, 'feedback'))
  const [row] = await ctx.hotPool.query<Row>(REPORT, [
    site.tenantId,
    site.id,
    decision,
    input.eventId,
    input.outcome,
    input.businessType,
    input.occurredAt,
    input.supersedes ?? null,
    taken.retryAfter > 0 ? 'l' : site.enabled ? '' : 'p',
  ])
  if (row?.counts) countFeedback(ctx, site, { outcome: input.outcome, type: input.businessType }, row.counts)
  // the same event again counts against no limit
  if (row?.code === 'o' && !row.counts) await taken.giveBack()
  if (row?.code === 'o') return { eventId: input.eventId, revision: row.revision, expiresAt: row.expires_at }
  if (row?.code === 'n') throw new Refusal('bad-field', { field: 'decision_id' })
  if (row?.code === 't') throw new Refusal('bad-field', { field: 'occurred_at' })
  if (row?.code === 'l') throw new Refusal('rate-limited', { retryAfter: taken.retryAfter })
  const refused = REFUSED[row?.code ?? '']
  throw refused === undefined ? new Error(`report_feedback answered ${row?.code}`) : new Refusal(refused)
}
