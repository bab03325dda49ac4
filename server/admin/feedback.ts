import { z } from 'zod'
import { AccountError } from '../accounts/error.ts'
import { findOwnSite } from '../accounts/sites/find.ts'
import { reportAsMember } from '../captcha/feedback/reportAsMember.ts'
import { feedbackHistory } from '../ledger/feedback/history.ts'
import { listFeedback } from '../ledger/feedback/list.ts'
import { feedbackRates } from '../ledger/feedback/rates.ts'
import { defineExport, eachOf } from './exportColumns.ts'
import { wholePeriod } from './fields.ts'
import { member, router, scanPaging } from './trpc.ts'

const outcome = z.enum(['confirmed_abuse', 'legitimate', 'unknown'])
const word = z.string().max(64).optional()
const site = z.uuid().optional()

const filters = z
  .object({
    outcome: outcome.optional(),
    type: word,
    action: word,
    site,
  })
  .and(wholePeriod)

export const feedbackRouter = router({
  list: member('feedback.read')
    .input(scanPaging.and(filters))
    .query(({ ctx, input }) => listFeedback(ctx.member, ctx.member.tenant, input)),
  /** For charts: what proved to be abuse, over time and by what. */
  rates: member('feedback.read')
    .input(z.object({ site }).and(wholePeriod))
    .query(async ({ ctx, input }) => {
      const siteId = input.site === undefined ? undefined : (await findOwnSite(ctx.member, input.site)).id
      return feedbackRates(ctx.member, { tenantId: ctx.member.tenant.id, siteId }, input)
    }),
  /** Every revision, by the intent's id. */
  history: member('feedback.read')
    .input(z.object({ decision: z.uuid() }))
    .query(async ({ ctx, input }) => {
      const history = await feedbackHistory(ctx.member, ctx.member.tenant, input.decision)
      if (!history) throw new AccountError('not-found', 'There is no such decision.')
      return history
    }),
  /** A report or a correction by hand. `event`: made by the caller, so that a repetition is recognised. */
  report: member('feedback.report')
    .input(
      z.object({
        decision: z.uuid(),
        event: z.uuid(),
        outcome,
        businessType: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
        occurredAt: z.int().min(0),
        supersedes: z.uuid().optional(),
      }),
    )
    .mutation(({ ctx, input: { event, ...input } }) => reportAsMember(ctx.member, { eventId: event, ...input })),
})

const moment = (seconds: number) => new Date(seconds * 1000).toISOString()

export const feedbackExport = defineExport({
  permission: 'feedback.read',
  input: filters,
  rows: (ctx, input) => eachOf((cursor) => listFeedback(ctx, ctx.tenant, { ...input, cursor, limit: 1000 })),
  columns: {
    received: ({ receivedAt }) => moment(receivedAt),
    occurred: ({ occurredAt }) => moment(occurredAt),
    decision_id: ({ decisionId }) => decisionId,
    site: ({ site }) => site.name,
    site_id: ({ site }) => site.id,
    action: ({ action }) => action,
    outcome: ({ outcome }) => outcome,
    business_type: ({ businessType }) => businessType,
    revision: ({ revision }) => revision,
    event_id: ({ eventId }) => eventId,
  },
})
