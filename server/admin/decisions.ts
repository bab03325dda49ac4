import { z } from 'zod'
import {
  type Cause,
  causesOf,
  packReasons,
  type Reasons,
  unpackReasons,
} from '../captcha/challenges/difficulty/reasons.ts'
import { grantTerms } from '../captcha/grants/issueAsMember.ts'
import { type DecisionFilters, decisionFilters } from '../contract/filters.ts'
import { HINTS } from '../contract/hints.ts'
import { REPORT_RAISES_MS } from '../contract/reports.ts'
import { AppError } from '../kit/error.ts'
import { archivedBefore } from '../ledger/archive/archived.ts'
import { listDecisions } from '../ledger/decisions/list.ts'
import { neighboursOf } from '../ledger/decisions/neighbours.ts'
import type { DecisionQuery } from '../ledger/decisions/read.ts'
import { type Trace, traceDecision } from '../ledger/decisions/trace.ts'
import { defineExport, eachOf } from './exportColumns.ts'
import { boundedText, LATEST, period } from './fields.ts'
import { follow } from './follow.ts'
import { member, rest, router, scanPaging } from './trpc.ts'

const bitsOf = (raised: Partial<Reasons>): number => packReasons({ ...unpackReasons(0), ...raised })

const BY_CAUSE = {
  network: bitsOf({ network: 3 }),
  subject: bitsOf({ subject: 3 }),
  site: bitsOf({ site: 3 }),
  feedback: bitsOf({ feedback: 3 }),
  list: bitsOf({ list: 'dear' }),
  hints: bitsOf({ hints: HINTS }),
  fallback: bitsOf({ fallback: 3 }),
} as const satisfies Record<Cause, number>

/** The bits of the reasons for a higher difficulty. */
const RAISED_BY = {
  ...BY_CAUSE,
  any: Object.values(BY_CAUSE).reduce((all, bits) => all | bits, 0),
} as const satisfies Record<NonNullable<DecisionFilters['raised']>, number>

const filters = z.object({ ...decisionFilters.shape, ...period.shape })

const queryOf = <Input extends DecisionFilters>({
  raised,
  ...input
}: Input): Omit<Input, 'raised'> & DecisionQuery => ({ ...input, reasons: raised && RAISED_BY[raised] })

function explain(bits: number) {
  const reasons = unpackReasons(bits)
  return { reasons, causes: causesOf(reasons) }
}

/** The trace with the reasons for its difficulty as words, and until when its feedback raises that of others by itself. */
export function explained(trace: Trace) {
  const { decision } = trace
  const challenge = decision?.challenge
  const mark = decision?.mark
  return {
    ...trace,
    decision: decision && {
      ...decision,
      challenge: challenge ? { ...challenge, ...explain(challenge.reasons) } : null,
      mark: mark ? { ...mark, raisesUntil: mark.markedAt + REPORT_RAISES_MS / 1000 } : null,
    },
  }
}

export const decisionsRouter = router({
  list: member('decision.read')
    .meta(rest('GET /decisions', 'List decisions'))
    .input(filters.extend(scanPaging.shape))
    .query(({ ctx, input }) => listDecisions(ctx.member, ctx.member.tenant, queryOf(input))),
  /** By `dec_…` or the intent's id. */
  get: member('decision.read')
    .meta(rest('GET /decisions/{id}', 'One decision with its trace', { object: 'decision' }))
    .input(z.object({ id: boundedText(64) }))
    .query(async ({ ctx, input }) => {
      const trace = await traceDecision(ctx.member, { tenant: ctx.member.tenant, id: input.id })
      if (!trace) throw new AppError('decision-not-found')
      const neighbours = trace.decision
        ? await neighboursOf(ctx.member, ctx.member.tenant, trace.intent.id)
        : { newer: null, older: null }
      // they are part of the site's policy, which not every role may read
      const terms = ctx.member.allows('grant.issue') ? await grantTerms(ctx.member, trace) : null
      return { ...explained(trace), neighbours, grantTerms: terms }
    }),
  /** `before`: decisions that were redeemed earlier (Unix seconds) are archived and cannot be shown; null if none are. */
  archive: member('decision.read').query(async ({ ctx }) => ({
    before: await archivedBefore(ctx.member, ctx.member.tenant),
  })),
  /** Decisions from now on, or since the event of this id. Those of the 10 s before it may be sent again. */
  tail: member('decision.read')
    .input(z.object({ ...decisionFilters.shape, lastEventId: z.coerce.number().min(0).max(LATEST).optional() }))
    .subscription(({ ctx, input, signal }) =>
      follow(ctx, { ...input, permission: 'decision.read', filters: queryOf(input), after: input.lastEventId }, signal),
    ),
})

export const decisionsExport = defineExport({
  permission: 'decision.read',
  input: filters,
  rows: (ctx, input) => eachOf((cursor) => listDecisions(ctx, ctx.tenant, { ...queryOf(input), cursor, limit: 1000 })),
  columns: {
    time: ({ redeemedAt }) => new Date(redeemedAt * 1000).toISOString(),
    decision_id: ({ decisionId }) => decisionId,
    intent_id: ({ id }) => id,
    site: ({ site }) => site.name,
    site_id: ({ site }) => site.id,
    action: ({ action }) => action,
    hostname: ({ hostname }) => hostname,
    way: ({ exempted }) => (exempted ? 'exempted' : 'solved'),
    solve_ms: ({ solveMs }) => solveMs,
    work: ({ work }) => work,
    device: ({ device }) => device,
    charged_to: ({ chargedTo }) => chargedTo,
    feedback: ({ outcome }) => outcome,
  },
})
