import type { Decision, Grant } from '../../../prisma/client/client.ts'
import type { ChargedTo, Outcome } from '../../../prisma/client/enums.ts'
import { decisionId, intentOfDecision, isUuid, requestId } from '../../contract/ids.ts'
import type { Db } from '../../kit/db/transact.ts'
import { siteNames } from '../siteNames.ts'
import type { TenantSites } from '../tenantSites.ts'

/** Everything that is stored about one intent and its outcome. Times are Unix seconds with fractions. */
export type Trace = {
  tenantId: string
  /** The last name of a deleted site; null if it is not known. */
  site: { id: string; name: string | null; deleted: boolean }
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
    /** The grant issued for it. `changes`: oldest first. */
    grant: (TracedGrant & { changes: GrantChange[] }) | null
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

/** What members and the merchant's backend did to a grant. */
export type GrantChange = { what: 'revoked' | 'restored'; at: number }

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
 * The timeline of an intent, by its UUID or by its decision's id; undefined if there is none. With `tenant`, intents of
 * others are not found; without it, it is for staff.
 */
export async function traceDecision(
  ctx: Db,
  input: { tenant?: TenantSites | undefined; id: string },
): Promise<Trace | undefined> {
  const id = intentOf(input.id)
  if (id === undefined) return undefined
  const { tenant } = input
  const ofSites = tenant?.sites && { siteId: { in: [...tenant.sites] } }
  const where = { id, ...(tenant && { tenantId: tenant.id }), ...ofSites }
  const [intent, decision] = await Promise.all([
    ctx.prisma.intent.findFirst({ where }),
    ctx.prisma.decision.findFirst({ where }),
  ])
  const known = decision ?? intent
  if (!known) return undefined
  const { tenantId, siteId, action, hostname } = known
  const grantId = decision?.grantId ?? intent?.grantId ?? null
  const [sites, refusals, feedback, mark, given, opener] = await Promise.all([
    siteNames(ctx, tenantId),
    ctx.prisma.refusal.findMany({ where: { intentId: id, tenantId, ...ofSites }, orderBy: { at: 'asc' }, take: 100 }),
    ctx.prisma.feedbackEvent.findMany({ where: { decisionId: id, tenantId }, orderBy: { revision: 'asc' } }),
    ctx.prisma.feedbackMark.findFirst({ where: { decisionId: id, tenantId } }),
    ctx.prisma.grant.findFirst({ where: { decisionId: id, tenantId } }),
    grantId === null ? null : ctx.prisma.grant.findFirst({ where: { id: grantId, tenantId } }),
  ])
  const site = sites.get(siteId)
  return {
    tenantId,
    site: { id: siteId, name: site?.name ?? null, deleted: site?.deleted ?? true },
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
      grant: given && { ...toGrant(given), changes: await changesOf(ctx, given) },
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

/** How long after its end a grant can still be revoked, with its session (accounts/sites/grants/revoke.ts). */
const REVOCABLE_MS = 15 * 60_000

/** Those of members are in the audit; a backend's revocation only in the grant itself. */
async function changesOf({ prisma }: Db, grant: Grant): Promise<GrantChange[]> {
  const { id, tenantId, createdAt, expiresAt, revokedAt } = grant
  const rows = await prisma.$queryRaw<GrantChange[]>`
    select case action when 'grant.revoke' then 'revoked' else 'restored' end as what,
      extract(epoch from created_at)::float8 as at
    from audit_event where tenant_id = ${tenantId}::uuid and action in ('grant.revoke', 'grant.restore')
      and created_at between ${createdAt} and ${new Date(expiresAt.getTime() + REVOCABLE_MS)}
      and after->'grants' ? ${id} order by seq`
  const isRecorded = revokedAt === null || rows.at(-1)?.what === 'revoked'
  return isRecorded ? rows : [...rows, { what: 'revoked', at: moment(revokedAt) }]
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
