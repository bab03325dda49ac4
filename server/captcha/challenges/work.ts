import type { SiteFacts } from '../../accounts/sites/facts.ts'

/**
 * The maximum difficulty, in expected hashes. A slow phone makes 0.5 MH/s: 12.6 s on average, and under 20 s
 * in all but one of some thousand challenges (the sum of 32 puzzles scatters by 18 %).
 */
export const MAX_WORK = 6 * 1024 * 1024
/** The minimum difficulty. */
export const MIN_WORK = 32

/** Recent activity, including this challenge: weights with a half-life of 2 minutes; rates in challenges per second. */
export type Signals = {
  /** Challenges of the client's network at this site. */
  network: number
  /** Challenges of the intent's subject at this site. */
  subject: number
  /** The site's rate over minutes, and over hours: its own baseline. */
  siteNow: number
  siteUsual: number
}

/** The reasons for the difficulty: how often each signal doubled it (0–3), the site's mode, and whether the maximum limited it. */
export type Reasons = {
  network: number
  subject: number
  site: number
  /** For a client that cannot solve the kind that the site prefers. */
  fallback: number
  mode: SiteFacts['workMode'] | 'test'
  bounded: boolean
}

const MODES: readonly Reasons['mode'][] = ['adaptive', 'fixed', 'attack', 'test']

/** Doublings of a weight: none up to `calm`, then one each time it doubles, at most three. */
const doublings = (weight: number, calm: number): number =>
  weight <= calm ? 0 : Math.min(3, Math.ceil(Math.log2(weight / calm)))

/** Doublings of a site's surge: more than 4 or 16 times its own usual, and at least one challenge a second. */
function surge({ siteNow, siteUsual }: Signals): number {
  if (siteNow < 1) return 0
  return siteNow > 16 * siteUsual ? 2 : siteNow > 4 * siteUsual ? 1 : 0
}

/**
 * The expected hashes of a challenge, with the reasons. Deterministic. The client's network and the
 * subject raise it first. The site's surge, which affects all visitors, raises it last and at most fourfold. `fallback` is the
 * number of doublings for a client that cannot solve the kind that the site prefers.
 */
export function workFor(
  site: Pick<SiteFacts, 'baseWork' | 'workMode' | 'test'>,
  signals: Signals,
  fallback = 0,
): { work: number; reasons: Reasons } {
  const calm: Reasons = { network: 0, subject: 0, site: 0, fallback: 0, mode: site.workMode, bounded: false }
  if (site.test) return { work: site.test.work, reasons: { ...calm, mode: 'test' } }
  const base = Math.min(MAX_WORK, Math.max(MIN_WORK, site.baseWork))
  const mode = site.workMode
  if (mode === 'attack') return { work: MAX_WORK, reasons: calm }
  const adapts = mode === 'adaptive'
  const network = adapts ? doublings(signals.network, 4) : 0
  const subject = adapts ? doublings(signals.subject, 4) : 0
  const surged = adapts ? surge(signals) : 0
  const work = base * 2 ** (network + subject + surged + fallback)
  return {
    work: Math.min(work, MAX_WORK),
    reasons: { network, subject, site: surged, fallback, mode, bounded: work > MAX_WORK },
  }
}

/**
 * The reasons as bits, for a sealed field and the decision's row: two each of network, subject, site and mode, one bound,
 * two of fallback.
 */
export function packReasons(reasons: Reasons): number {
  return (
    reasons.network |
    (reasons.subject << 2) |
    (reasons.site << 4) |
    (MODES.indexOf(reasons.mode) << 6) |
    (reasons.bounded ? 1 << 8 : 0) |
    (reasons.fallback << 9)
  )
}

export function unpackReasons(bits: number): Reasons {
  return {
    network: bits & 3,
    subject: (bits >> 2) & 3,
    site: (bits >> 4) & 3,
    fallback: (bits >> 9) & 3,
    mode: MODES[(bits >> 6) & 3] ?? 'adaptive',
    bounded: ((bits >> 8) & 1) === 1,
  }
}
