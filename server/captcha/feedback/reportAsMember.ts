import type { MemberCtx } from '../../accounts/access.ts'
import { change } from '../../accounts/change.ts'
import { decisionId } from '../../contract/ids.ts'
import type { ErrorCode } from '../../contract/mistakes/errors.ts'
import type { Reason } from '../../contract/reasons.ts'
import type { Statement } from '../../kit/db/db.ts'
import { AppError } from '../../kit/error.ts'
import { countFeedback } from '../../ledger/usage/countFeedback.ts'
import { type Feedback, type FeedbackInput, recordFeedback } from './report.ts'

/** `decision`: its intent's UUID. */
export type MemberFeedback = Omit<FeedbackInput, 'decisionId'> & { decision: string }

/**
 * Records feedback that a member gives in the console, as `reportFeedback` does for a backend; the event and its audit row
 * commit together. The same event again gives the same answer and no second audit row. Throws AppError:
 * `feedback-outdated` where the decision has newer feedback than `supersedes`.
 */
export async function reportAsMember(ctx: MemberCtx, { decision: id, ...input }: MemberFeedback): Promise<Feedback> {
  const { prisma, tenant } = ctx
  const decision = await prisma.decision.findFirst({ where: { id, tenantId: tenant.id }, select: { siteId: true } })
  if (!decision) throw new AppError('decision-not-found')
  const site = await prisma.site.findFirst({
    where: { id: decision.siteId, tenantId: tenant.id },
    select: { id: true, tenantId: true, pausedAt: true, tenant: { select: { suspendedAt: true } } },
  })
  if (!site) throw new AppError('site-deleted')
  const enabled = site.pausedAt === null && site.tenant.suspendedAt === null
  try {
    const { feedback, counts } = await change(ctx, async ({ prisma }) => {
      const out = await recordFeedback(
        { query: <Row>({ text }: Statement, values: unknown[]) => prisma.$queryRawUnsafe<Row[]>(text, ...values) },
        { ...site, enabled },
        { ...input, decisionId: decisionId(id) },
      )
      // a repetition changes nothing, so there is nothing to audit
      if (out.counts === null) return { out, change: null }
      const { feedback, counts } = out
      return {
        out,
        change: {
          tenantId: tenant.id,
          action: feedback.revision === 1 ? 'feedback.report' : 'feedback.correct',
          target: decisionId(id),
          ...(counts.was && { before: { revision: feedback.revision - 1, ...counts.was } }),
          after: {
            revision: feedback.revision,
            outcome: input.outcome,
            type: input.businessType,
            occurredAt: input.occurredAt,
            event: input.eventId,
          },
        },
      }
    })
    if (counts) countFeedback(ctx, site, { outcome: input.outcome, type: input.businessType }, counts)
    return feedback
  } catch (error) {
    const reason = error instanceof AppError ? REASON_OF[error.code as ErrorCode] : undefined
    throw reason === undefined ? error : new AppError(reason, { cause: error })
  }
}

/** For the errors of `recordFeedback`, which are those of the public API. */
const REASON_OF: Partial<Record<ErrorCode, Reason>> = {
  'bad-field': 'feedback-time-invalid',
  'site-disabled': 'site-off',
  'feedback-closed': 'feedback-over',
  'event-conflict': 'feedback-repeated',
  'supersede-required': 'feedback-outdated',
  'supersede-stale': 'feedback-outdated',
}
