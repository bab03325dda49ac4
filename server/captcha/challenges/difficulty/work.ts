import type { SiteFacts } from '../../../accounts/sites/facts.ts'
import type { Hint } from '../../../contract/hints.ts'
import { MOST_WORK_BOUND, minimumAge } from '../../../contract/sitePolicy.ts'
import type { Kind } from '../../../contract/wire.ts'
import { causesOf, fallbackTimes, type Reasons } from './reasons.ts'

/**
 * The maximum difficulty, in expected hashes. A slow phone makes 0.5 MH/s: 12.6 s on average, and under 20 s
 * in all but one of some thousand challenges (the sum of 32 puzzles scatters by 18 %).
 */
export const MAX_WORK = 6 * 1024 * 1024
/**
 * The most that is asked in attack mode, or of SHA-256 in place of another kind: a slow phone needs 38 s on average, and
 * challenges expire after 120 s.
 */
export const MOST_WORK = MOST_WORK_BOUND

/** The minimum difficulty. */
export const MIN_WORK = 32

/**
 * Expected hashes with the reasons, and the seconds before which no solution is accepted: if it was raised, the time that a slow
 * phone needs for what exceeds the standard difficulty. Slow phones never wait for it, and faster hardware does not shorten it.
 */
export type Difficulty = { work: number; minAge: number; reasons: Reasons }

/** What is known about a client when it asks for a challenge. */
export type Signals = {
  /** How often the busiest of its networks doubles the difficulty, and which it is (networks/tiers). */
  network: { doublings: number; tier: number }
  /** Challenges of the intent's subject at this site, this one included: a weight with a half-life of 2 minutes. */
  subject: number
  /** The site's rate over minutes, and over hours: its own baseline. In solved challenges per second. */
  siteNow: number
  siteUsual: number
  /** How often feedback about its network and subject doubles the difficulty: 0–2. */
  feedback: number
  list: Reasons['list']
  hints: readonly Hint[]
}

/** A site's policy for one action. */
export type Policy = Pick<SiteFacts, 'baseWork' | 'workMode' | 'test'>

/** The site's policy for an action: its own, or the site's. */
export function policyOf(
  { baseWork, workMode, test, actions }: Policy & Pick<SiteFacts, 'actions'>,
  action: string,
): Policy {
  const own = actions.find((one) => one.action === action)
  return own ? { baseWork: own.baseWork, workMode: own.workMode, test } : { baseWork, workMode, test }
}

/** The same at a time (milliseconds): in attack mode until the end of the site's time in it. */
export function policyAt(
  site: Parameters<typeof policyOf>[0] & Pick<SiteFacts, 'attackUntil'>,
  action: string,
  now: number,
): Policy {
  const policy = policyOf(site, action)
  return site.attackUntil > now ? { ...policy, workMode: 'attack' } : policy
}

/** Doublings of a weight: none up to `calm`, then one each time it doubles, at most three. */
export const doublings = (weight: number, calm: number): number =>
  weight <= calm ? 0 : Math.min(3, Math.ceil(Math.log2(weight / calm)))

/** The weight of a subject's challenges up to which it is calm. */
const CALM_SUBJECT = 4

/** Doublings of a site's surge: more than 4 or 16 times its own usual, and at least one challenge a second. */
function surge({ siteNow, siteUsual }: Signals): number {
  if (siteNow < 1) return 0
  return siteNow > 16 * siteUsual ? 2 : siteNow > 4 * siteUsual ? 1 : 0
}

/**
 * The expected hashes of a challenge, with the reasons. Deterministic. In adaptive mode, what is known about the client raises
 * it first. The site's surge, which affects all visitors, raises it last and at most fourfold. `fallback`: SHA-256 in place of the
 * kind that the site prefers, beyond the deployment's budget for it (kinds/choose). The reasons have the signals in every mode,
 * so that another policy can be tried on past decisions.
 */
export function workFor(
  policy: Policy,
  signals: Signals,
  { kind, fallback }: { kind: Kind; fallback: number },
): Difficulty {
  return workAgain(policy, {
    kind,
    network: signals.list === 'allow' ? 0 : signals.network.doublings,
    tier: signals.network.tier,
    subject: doublings(signals.subject, CALM_SUBJECT),
    site: surge(signals),
    fallback,
    feedback: signals.feedback,
    list: signals.list,
    hints: signals.hints,
    noticed: [],
    mode: policy.workMode,
    bounded: false,
  })
}

/** What a policy asks of a client for whom the signals of these reasons are known, whichever policy they were recorded with. */
export function workAgain(policy: Policy, recorded: Reasons): Difficulty {
  const reasons: Reasons = { ...recorded, mode: policy.test ? 'test' : policy.workMode }
  if (policy.test) return { work: policy.test.work, minAge: 0, reasons }
  const isAttack = policy.workMode === 'attack'
  const base = baseOf(policy)
  const causes = causesOf(reasons)
  const raised = causes.reduce(
    (work, { cause, times }) => (cause === 'fallback' ? work : work * times),
    isAttack ? MAX_WORK : base,
  )
  const usual = isAttack ? raised : Math.min(raised, MAX_WORK)
  const asked = usual * fallbackTimes(reasons)
  const work = Math.min(asked, MOST_WORK)
  reasons.bounded = raised > usual || asked > work
  const isRaised = isAttack || causes.length > 0
  return { work, minAge: isRaised ? minimumAge(work) : 0, reasons }
}

const baseOf = ({ baseWork }: Policy): number => Math.min(MAX_WORK, Math.max(MIN_WORK, baseWork))
