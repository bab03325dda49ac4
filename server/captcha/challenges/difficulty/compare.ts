import type { MemberCtx } from '../../../accounts/access.ts'
import { findOwnSite } from '../../../accounts/sites/find.ts'
import { viewPolicy } from '../../../accounts/sites/policy.ts'
import type { SiteDifficulty } from '../../../contract/sitePolicy.ts'
import { MOST_SAMPLED, type SampledDecision, sampleDecisions } from '../../../ledger/decisions/sample.ts'
import { bucketOf, percentile } from '../../../ledger/usage/buckets.ts'
import { groupBy } from '../../../ledger/usage/groupBy.ts'
import { HOUR } from '../../../ledger/usage/period.ts'
import { readUsage } from '../../../ledger/usage/read.ts'
import { LINE_FULL } from '../networks/line.ts'
import { causesOf, unpackReasons } from './reasons.ts'
import { policyOf, workAgain } from './work.ts'

/** What a policy asks of a group of visitors. */
export type Effect = {
  /** Waiting time in seconds that 50 and 95 % of them do not exceed, to 5 %. */
  waits: { p50: number; p95: number }
  /** Share of them, 0–1, for whom something raised the difficulty. */
  raised: number
}

/** Visitors with one kind of device; `share`: of all challenges, 0–1. */
export type DeviceEffect = { share: number; now: Effect; draft: Effect }

/** All visitors, or those of an action; a device is null if no challenge of it was in the sample. */
export type GroupEffect = { action: string | null; phones: DeviceEffect | null; computers: DeviceEffect | null }

export type Comparison = {
  /** Solved challenges that were read, and how many they stand for. */
  sampled: number
  challenges: number
  all: GroupEffect
  /** The most frequent actions, at most 20. */
  actions: GroupEffect[]
}

const MOST_ACTIONS = 20

/**
 * What a difficulty would have asked of the visitors who solved a challenge in the last week, or since a time (Unix seconds),
 * beside what the site's policy asks: from the signals that their decisions keep, and from their solve times, in proportion
 * to the work, but no shorter than the challenge's minimum age. The kind of challenge changes the work only of clients that
 * cannot solve it. Throws AppError.
 */
export async function comparePolicies(
  ctx: MemberCtx,
  input: { site: string; difficulty: SiteDifficulty; since?: number | undefined },
): Promise<Comparison> {
  const site = await findOwnSite(ctx, input.site)
  const [policy, sample] = await Promise.all([viewPolicy(ctx, site.id), sampleDecisions(ctx, site, input.since)])
  return compare(sample, policy, input.difficulty)
}

/** The same for a sample. */
export function compare(sample: readonly SampledDecision[], now: SiteDifficulty, draft: SiteDifficulty): Comparison {
  const [askNow, askDraft] = [asking(now), asking(draft)]
  const asked = challengesOf(sample).map(({ action, weight, challenge }) => ({
    action,
    weight,
    mobile: challenge.mobile,
    now: askNow(action, challenge),
    draft: askDraft(action, challenge),
  }))
  const total = weigh(asked)
  const device = (group: readonly Asked[], mobile: boolean): DeviceEffect | null => {
    const own = group.filter((one) => one.mobile === mobile)
    if (own.length === 0) return null
    return { share: weigh(own) / total, now: effectOf(own, 'now'), draft: effectOf(own, 'draft') }
  }
  const groupOf = (action: string | null, group: readonly Asked[]): GroupEffect => ({
    action,
    phones: device(group, true),
    computers: device(group, false),
  })
  const byAction = [...groupBy(asked, ({ action }) => action)].toSorted(([, a], [, b]) => weigh(b) - weigh(a))
  return {
    sampled: asked.length,
    challenges: Math.round(total),
    all: groupOf(null, asked),
    actions: byAction.slice(0, MOST_ACTIONS).map(([action, group]) => groupOf(action, group)),
  }
}

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
 * What attack mode would have done to the visitors of the last week, by the same estimate; null if none of them solved a
 * challenge. Attack mode serves as many visitors of a network as other modes do, so `refused` is what was refused. A visitor
 * who was refused twice counts twice. Throws AppError.
 */
export async function attackEffect(ctx: MemberCtx, input: { site: string }): Promise<AttackEffect | null> {
  const site = await findOwnSite(ctx, input.site)
  const [policy, sample, refused] = await Promise.all([
    viewPolicy(ctx, site.id),
    sampleDecisions(ctx, site),
    countRefused(ctx, site),
  ])
  const asked = challengesOf(sample)
  if (asked.length === 0) return null
  const ask = asking(inAttackMode(policy))
  const challenges = weigh(asked)
  return {
    sampled: asked.length,
    challenges: Math.round(challenges),
    slow: weigh(asked.filter(({ action, challenge }) => ask(action, challenge).ms > SLOW_MS)) / challenges,
    refused: refused / (challenges + refused),
  }
}

/** Attack mode overrides the mode of every action. */
const inAttackMode = (policy: SiteDifficulty): SiteDifficulty => ({
  ...policy,
  workMode: 'attack',
  actions: policy.actions.map((own) => ({ ...own, workMode: 'attack' })),
})

/** From the counts by the hour: of the refusals themselves, only some of each minute are stored. */
async function countRefused(ctx: MemberCtx, { id, tenantId }: { id: string; tenantId: string }): Promise<number> {
  const hour = Math.floor(ctx.clock.now() / 1000 / HOUR) * HOUR
  const period = { from: hour - MOST_SAMPLED, to: hour + HOUR, step: HOUR }
  const counts = await readUsage(ctx, { id: tenantId, sites: [id] }, period, ['refused'], { label: true })
  return counts.find(({ label }) => label === NO_PLACE)?.n ?? 0
}

type Challenge = NonNullable<SampledDecision['challenge']>

/** The decisions whose challenge was solved. */
const challengesOf = (sample: readonly SampledDecision[]) =>
  sample.flatMap(({ action, weight, challenge }) =>
    challenge && challenge.work > 0 ? [{ action, weight, challenge }] : [],
  )

/** What a policy asks for one challenge. `ms`: the waiting time. */
type Question = { ms: number; raised: boolean }
type Asked = { action: string; weight: number; mobile: boolean; now: Question; draft: Question }

/** What a policy asks for the challenge of a sampled decision of an action. */
function asking(difficulty: SiteDifficulty) {
  const site = { ...difficulty, test: undefined }
  return (action: string, { ms, work: asked, reasons: bits }: Challenge): Question => {
    const recorded = unpackReasons(bits)
    // every client can solve it
    if (difficulty.challengeKind === 'sha256') recorded.fallback = 0
    const { work, minAge, reasons } = workAgain(policyOf(site, action), recorded)
    return {
      ms: Math.max((ms * work) / asked, minAge * 1000),
      raised: causesOf(reasons).length > 0,
    }
  }
}

const weigh = (group: readonly { weight: number }[]): number => group.reduce((sum, { weight }) => sum + weight, 0)

function effectOf(group: readonly Asked[], side: 'now' | 'draft'): Effect {
  const times = new Map<number, number>()
  for (const one of group) {
    const bucket = bucketOf(one[side].ms)
    times.set(bucket, (times.get(bucket) ?? 0) + one.weight)
  }
  const seconds = (p: number) => (percentile(times, p) ?? 0) / 1000
  return {
    waits: { p50: seconds(0.5), p95: seconds(0.95) },
    raised: weigh(group.filter((one) => one[side].raised)) / weigh(group),
  }
}
