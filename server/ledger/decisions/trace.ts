import type { Decision, Grant } from '../../../prisma/client/client.ts'
import type { ChargedTo, Outcome } from '../../../prisma/client/enums.ts'
import { decisionId, intentOfDecision, isUuid, requestId } from '../../contract/ids.ts'
import type { Db } from '../../kit/db/transact.ts'

/** Everything that is stored about one intent and its outcome. Times are Unix seconds with fractions. */
export type Trace = {
  tenantId: string
  /** The name is null if the site was deleted. */
  site: { id: string; name: string | null }
  action: string
  hostname: string
  intent: {
    id: string
    createdAt: number
    /** Whether its row still exists: intents are deleted after 26 hours, and the fields below are null then. */
    kept: boolean
    expiresAt: number | null
    /** First 8 hex digits of the HMACs that the merchant sent; null if it sent none. */
    session: string | null
    subject: string | null
  }
  /** The grant with which the intent was opened, if its challenge was skipped. */
  exemption: { grantId: string; grant: TracedGrant | null } | null
  /** Refused requests that named the intent, oldest first, at most 100. */
  refusals: TracedRefusal[]
  /** Null until the token is redeemed: until then, the facts are only sealed in it. */
  decision: {
    /** `dec_…` */
    id: string
    redeemedAt: number
    chargedTo: ChargedTo
    /** Null if it was skipped. `work`: expected hashes; `reasons`: packed as by captcha/challenges/difficulty/reasons. */
    challenge: { challengedAt: number; solvedAt: number; work: number; reasons: number; mobile: boolean | null } | null
    /** All revisions, oldest first. */
    feedback: TracedFeedback[]
    /** What its feedback as abuse identifies; null without such feedback, for test keys, and once that is deleted. */
    mark: TracedMark | null
    /** The grant issued for it. */
    grant: TracedGrant | null
  } | null
}

export type TracedGrant = {
  id: string
  /** The decision that it was issued for, `dec_…`. */
  decisionId: string
  createdAt: number
  expiresAt: number
  revokedAt: number | null
  uses: number
  used: number
}

export type TracedFeedback = {
  eventId: string
  revision: number
  outcome: Outcome
  businessType: string
  occurredAt: number
  receivedAt: number
  supersedes: string | null
}

export type TracedMark = {
  /** When the feedback as abuse arrived, and when other feedback superseded it. */
  markedAt: number
  withdrawnAt: number | null
  /** Whether later challenges of the network and the subject are concerned. */
  network: boolean
  subject: boolean
}

export type TracedRefusal = {
  /** `req_…` */
  requestId: string
  at: number
  endpoint: string
  code: string
  field: string | null
  hostname: string | null
}

/** The intent's UUID of a decision id or of an intent's own; undefined where it is neither. */
export function intentOf(id: string): string | undefined {
  return intentOfDecision(id) ?? (isUuid(id) ? id.toLowerCase() : undefined)
}

/**
 * The timeline of an intent, by its UUID or by its decision's id; undefined if there is none. With `tenantId`, intents of
 * other tenants are not found; without `tenant`, it is for staff.
 */
export async function traceDecision(
  ctx: Db,
  input: { tenantId?: string | undefined; id: string },
): Promise<Trace | undefined> {
  const id = intentOf(input.id)
  if (id === undefined) return undefined
  const where = { id, ...(input.tenantId !== undefined && { tenantId: input.tenantId }) }
  const [intent, decision] = await Promise.all([
    ctx.prisma.intent.findFirst({ where }),
    ctx.prisma.decision.findFirst({ where }),
  ])
  const known = decision ?? intent
  if (!known) return undefined
  const { tenantId, siteId, action, hostname } = known
  const grantId = decision?.grantId ?? intent?.grantId ?? null
  const [site, refusals, feedback, mark, given, opener] = await Promise.all([
    ctx.prisma.site.findUnique({ where: { id: siteId }, select: { name: true } }),
    ctx.prisma.refusal.findMany({ where: { intentId: id, tenantId }, orderBy: { at: 'asc' }, take: 100 }),
    ctx.prisma.feedbackEvent.findMany({ where: { decisionId: id, tenantId }, orderBy: { revision: 'asc' } }),
    ctx.prisma.feedbackMark.findFirst({ where: { decisionId: id, tenantId } }),
    ctx.prisma.grant.findFirst({ where: { decisionId: id, tenantId } }),
    grantId === null ? null : ctx.prisma.grant.findFirst({ where: { id: grantId, tenantId } }),
  ])
  return {
    tenantId,
    site: { id: siteId, name: site?.name ?? null },
    action,
    hostname,
    intent: {
      id,
      createdAt: intent ? moment(intent.createdAt) : bornAt(id),
      kept: intent !== null,
      expiresAt: intent && moment(intent.expiresAt),
      session: intent?.session?.slice(0, 8) ?? null,
      subject: intent?.subject?.slice(0, 8) ?? null,
    },
    exemption: grantId === null ? null : { grantId, grant: opener && toGrant(opener) },
    refusals: refusals.map(({ id, at, endpoint, code, field, hostname }) => ({
      requestId: requestId(id),
      at: moment(at),
      endpoint,
      code,
      field,
      hostname,
    })),
    decision: decision && {
      id: decisionId(id),
      redeemedAt: moment(decision.redeemedAt),
      chargedTo: decision.chargedTo,
      challenge: challengeOf(decision),
      feedback: feedback.map((event) => ({
        eventId: event.eventId,
        revision: event.revision,
        outcome: event.outcome,
        businessType: event.businessType,
        occurredAt: moment(event.occurredAt),
        receivedAt: moment(event.createdAt),
        supersedes: event.supersedes,
      })),
      mark: mark && {
        markedAt: moment(mark.markedAt),
        withdrawnAt: mark.withdrawnAt && moment(mark.withdrawnAt),
        network: mark.network !== null,
        subject: mark.subject !== null,
      },
      grant: given && toGrant(given),
    },
  }
}

const moment = (date: Date): number => date.getTime() / 1000

/** The creation time of a UUIDv7, to the millisecond. */
const bornAt = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16) / 1000

function challengeOf({ challengedAt, solvedAt, work, workReasons, mobile }: Decision) {
  if (challengedAt === null || solvedAt === null) return null
  return {
    challengedAt: moment(challengedAt),
    solvedAt: moment(solvedAt),
    work: Number(work),
    reasons: workReasons,
    mobile,
  }
}

const toGrant = ({ id, decisionId: intent, createdAt, expiresAt, revokedAt, uses, used }: Grant): TracedGrant => ({
  id,
  decisionId: decisionId(intent),
  createdAt: moment(createdAt),
  expiresAt: moment(expiresAt),
  revokedAt: revokedAt && moment(revokedAt),
  uses,
  used,
})
