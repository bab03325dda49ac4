import type { Outcome } from '../../../prisma/client/enums.ts'
import { decisionId } from '../../contract/ids.ts'
import { seconds } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import { siteNames } from '../siteNames.ts'

/** One report. Times are Unix seconds; `supersedes`: the event that it corrects. */
export type Revision = {
  eventId: string
  revision: number
  outcome: Outcome
  businessType: string
  occurredAt: number
  receivedAt: number
  supersedes: string | null
}

/** The reports about a decision, and until when they can be corrected (Unix seconds). */
export type FeedbackHistory = {
  /** `dec_…` */
  decisionId: string
  /** The name is null if the site was deleted. */
  site: { id: string; name: string | null }
  action: string
  redeemedAt: number
  closesAt: number
  /** Newest first, at most 200. */
  revisions: Revision[]
}

/** More than a decision can have. */
const MOST = 200

/** The length that the contract requires. */
const WINDOW_SECONDS = 7 * 86_400

/** Every revision of a decision's feedback, by its intent's UUID; undefined if the tenant has no such decision. */
export async function feedbackHistory(
  { prisma }: Db,
  tenant: { id: string },
  id: string,
): Promise<FeedbackHistory | undefined> {
  const decision = await prisma.decision.findFirst({ where: { id, tenantId: tenant.id } })
  if (!decision) return undefined
  const [sites, events] = await Promise.all([
    siteNames({ prisma }, tenant.id),
    prisma.feedbackEvent.findMany({
      where: { decisionId: id, tenantId: tenant.id },
      orderBy: { revision: 'desc' },
      take: MOST,
    }),
  ])
  const redeemedAt = seconds(decision.redeemedAt.getTime())
  return {
    decisionId: decisionId(id),
    site: { id: decision.siteId, name: sites.get(decision.siteId)?.name ?? null },
    action: decision.action,
    redeemedAt,
    closesAt: redeemedAt + WINDOW_SECONDS,
    revisions: events.map(({ eventId, revision, outcome, businessType, occurredAt, createdAt, supersedes }) => ({
      eventId,
      revision,
      outcome,
      businessType,
      occurredAt: seconds(occurredAt.getTime()),
      receivedAt: seconds(createdAt.getTime()),
      supersedes,
    })),
  }
}
