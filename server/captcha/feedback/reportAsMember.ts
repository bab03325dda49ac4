import type { MemberCtx } from '../../accounts/access.ts'
import { change } from '../../accounts/change.ts'
import { AccountError, type AccountFault } from '../../accounts/error.ts'
import { decisionId } from '../../contract/ids.ts'
import type { Statement } from '../../kit/db.ts'
import { Refusal, type RefusalCode } from '../../kit/refusal.ts'
import { countFeedback } from '../../ledger/usage/countFeedback.ts'
import { type Feedback, type FeedbackInput, recordFeedback } from './report.ts'

/** `decision`: its intent's UUID. */
export type MemberFeedback = Omit<FeedbackInput, 'decisionId'> & { decision: string }

/** Rolls back the transaction of a repetition: it changes nothing, so there is nothing to audit. */
class Repetition extends Error {
  readonly feedback: Feedback

  constructor(feedback: Feedback) {
    super('repetition')
    this.feedback = feedback
  }
}

/**
 * Records feedback that a member gives in the console, as `reportFeedback` does for a backend; the event and its audit row
 * commit together. The same event again gives the same answer and no second audit row. Throws AccountError; its message is
 * `supersede-stale` where the decision has newer feedback than `supersedes`.
 */
export async function reportAsMember(ctx: MemberCtx, { decision: id, ...input }: MemberFeedback): Promise<Feedback> {
  const { prisma, tenant } = ctx
  const decision = await prisma.decision.findFirst({ where: { id, tenantId: tenant.id }, select: { siteId: true } })
  if (!decision) throw new AccountError('not-found', 'There is no such decision.')
  const site = await prisma.site.findFirst({
    where: { id: decision.siteId, tenantId: tenant.id },
    select: { id: true, tenantId: true, pausedAt: true, tenant: { select: { suspendedAt: true } } },
  })
  if (!site)
    throw new AccountError(
      'conflict',
      'The site of this decision was deleted, so the decision accepts no more feedback.',
    )
  const enabled = site.pausedAt === null && site.tenant.suspendedAt === null
  try {
    const { feedback, counts } = await change(ctx, async ({ prisma }) => {
      const { feedback, counts } = await recordFeedback(
        { query: <Row>({ text }: Statement, values: unknown[]) => prisma.$queryRawUnsafe<Row[]>(text, ...values) },
        { ...site, enabled },
        { ...input, decisionId: decisionId(id) },
      )
      if (counts === null) throw new Repetition(feedback)
      return {
        out: { feedback, counts },
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
    countFeedback(ctx, site, { outcome: input.outcome, type: input.businessType }, counts)
    return feedback
  } catch (error) {
    if (error instanceof Repetition) return error.feedback
    throw error instanceof Refusal ? inWords(error) : error
  }
}

const REASONS: Partial<Record<RefusalCode, [AccountFault, string]>> = {
  'bad-field': ['invalid', 'The time must be between the redemption and now.'],
  'site-disabled': ['conflict', 'The site is paused or the tenant is suspended: it takes no feedback now.'],
  'feedback-closed': ['conflict', 'This decision takes no more feedback: 7 days have passed, or it has 20 revisions.'],
  'event-conflict': ['conflict', 'This report was sent before with other values. Close the form and open it again.'],
  'supersede-required': ['conflict', 'supersede-stale'],
  'supersede-stale': ['conflict', 'supersede-stale'],
}

function inWords(refusal: Refusal): Error {
  const reason = REASONS[refusal.code]
  return reason ? new AccountError(...reason) : refusal
}
