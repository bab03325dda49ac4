import type { Decision, Grant } from '../../../prisma/client/client.ts'
import type { ChargedTo, Outcome } from '../../../prisma/client/enums.ts'
import { decisionId, intentOfDecision, isUuid, requestId } from '../../contract/ids.ts'
import type { Db } from '../../kit/transact.ts'

/** Everything that is stored about one intent and its outcome. Times are Unix seconds with fractions. */
export type Trace = {
  tenantId: string
  /** Its name is null where it was deleted. */
  site: { id: string; name: string | null }
  action: string
  hostname: string
  intent: {
    id: string
    createdAt: number
    /** Whether its row is still there: intents are swept after 26 hours, and what follows is null then. */
    kept: boolean
    expiresAt: number | null
    /** First 8 hex digits of the HMACs that the merchant sent; null where it sent none. */
    session: string | null
    subject: string | null
  }
  /** The exemption that opened the intent, whose challenge was skipped. */
  exemption: { grantId: string; grant: TracedGrant | null } | null
  /** What was refused that named the intent, the oldest first; at most 100. */
  refusals: TracedRefusal[]
  /** Null until the token is redeemed: what happened before travels sealed in it. */
  decision: {
    /** `dec_…` */
    id: string
    redeemedAt: number
    chargedTo: ChargedTo
    /** Null where it was skipped. `work`: expected hashes; `reasons`: packed as by captcha/challenges/work. */
    challenge: { challengedAt: number; solvedAt: number; work: number; reasons: number; mobile: boolean | null } | null
    /** Every revision, the first one first. */
    feedback: TracedFeedback[]
    /** The exemption that it gave. */
    grant: TracedGrant | null
  } | null
}

export type TracedGrant = {
  id: string
  /** `dec_…` that gave it. */
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
 * The timeline of an intent, by its UUID or by its decision's id; undefined where there is none. With `tenantId` those of
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
  const [site, refusals, feedback, given, opener] = await Promise.all([
    ctx.prisma.site.findUnique({ where: { id: siteId }, select: { name: true } }),
    ctx.prisma.refusal.findMany({ where: { intentId: id, tenantId }, orderBy: { at: 'asc' }, take: 100 }),
    ctx.prisma.feedbackEvent.findMany({ where: { decisionId: id, tenantId }, orderBy: { revision: 'asc' } }),
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
      grant: given && toGrant(given),
    },
  }
}

const moment = (date: Date): number => date.getTime() / 1000

/** When a UUIDv7 was made, to the millisecond. */
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
