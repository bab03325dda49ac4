import type { MemberCtx } from '../../../accounts/access.ts'
import { findOwnSite } from '../../../accounts/sites/find.ts'
import { viewPolicy } from '../../../accounts/sites/policy.ts'
import type { SiteDifficulty } from '../../../contract/sitePolicy.ts'
import { MOST_SAMPLED, sampleDecisions } from '../../../ledger/decisions/sample.ts'
import { HOUR } from '../../../ledger/usage/period.ts'
import { readUsage } from '../../../ledger/usage/read.ts'
import { LINE_FULL } from '../networks/line.ts'
import { asking } from './compare.ts'

/** What attack mode would have done to the visitors of the last week. */
export type AttackEffect = {
  /** Solved challenges that were read, and how many they stand for. */
  sampled: number
  challenges: number
  /** Share of the challenges, 0–1, that would have taken longer than SLOW_MS. */
  slow: number
  /** Share of the requests for a challenge, 0–1, that were refused because the visitor's network had no place left. */
  refused: number
}

const SLOW_MS = 15_000

/** How a refusal for want of a place is counted (ledger/refusals/record). A visitor who waits in line is not counted. */
const NO_PLACE = `/challenge rate-limited ${LINE_FULL}`

/**
 * What attack mode would have done to the visitors of the last week, by the same estimate as `comparePolicies`; null if none of
 * them solved a challenge. Attack mode serves as many visitors of a network as other modes do, so `refused` is what was refused. A
 * visitor who was refused twice counts twice. Throws AppError.
 */
export async function attackEffect(ctx: MemberCtx, input: { site: string }): Promise<AttackEffect | null> {
  const site = await findOwnSite(ctx, input.site)
  const [policy, sample, refused] = await Promise.all([
    viewPolicy(ctx, site.id),
    sampleDecisions(ctx, site),
    countRefused(ctx, site),
  ])
  const ask = asking(inAttackMode(policy))
  let [sampled, challenges, slow] = [0, 0, 0]
  for (const { action, weight, challenge } of sample) {
    if (!challenge || challenge.work === 0) continue
    sampled += 1
    challenges += weight
    if (ask(action, challenge).ms > SLOW_MS) slow += weight
  }
  if (sampled === 0) return null
  return {
    sampled,
    challenges: Math.round(challenges),
    slow: slow / challenges,
    refused: refused / (challenges + refused),
  }
}

/** Attack mode overrides the mode of every action, and leaves the base difficulty, from which the minimum age is counted. */
const inAttackMode = (policy: SiteDifficulty): SiteDifficulty => ({
  ...policy,
  workMode: 'attack',
  actions: policy.actions.map((own) => ({ ...own, workMode: 'attack' })),
})

/** From the counts by the hour: of the refusals themselves, only some of each minute are stored. */
async function countRefused(ctx: MemberCtx, { id, tenantId }: { id: string; tenantId: string }): Promise<number> {
  const hour = Math.floor(ctx.clock.now() / 1000 / HOUR) * HOUR
  const period = { from: hour - MOST_SAMPLED, to: hour + HOUR, step: HOUR }
  const counts = await readUsage(ctx, { tenantId, siteId: id }, period, ['refused'], { label: true })
  return counts.find(({ label }) => label === NO_PLACE)?.n ?? 0
}
