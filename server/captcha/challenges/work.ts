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
 * subject raise it first. The site's surge, which affects all visitors, raises it last and at most fourfold.
 */
export function workFor(
  site: Pick<SiteFacts, 'baseWork' | 'workMode' | 'test'>,
  signals: Signals,
): { work: number; reasons: Reasons } {
  if (site.test)
    return { work: site.test.work, reasons: { network: 0, subject: 0, site: 0, mode: 'test', bounded: false } }
  const base = Math.min(MAX_WORK, Math.max(MIN_WORK, site.baseWork))
  const mode = site.workMode
  if (mode !== 'adaptive')
    return {
      work: mode === 'attack' ? MAX_WORK : base,
      reasons: { network: 0, subject: 0, site: 0, mode, bounded: false },
    }
  const network = doublings(signals.network, 4)
  const subject = doublings(signals.subject, 4)
  const surged = surge(signals)
  const work = base * 2 ** (network + subject + surged)
  return {
    work: Math.min(work, MAX_WORK),
    reasons: { network, subject, site: surged, mode, bounded: work > MAX_WORK },
  }
}

/** The reasons as bits, for a sealed field and the decision's row: two each of network, subject, site and mode, one bound. */
export function packReasons(reasons: Reasons): number {
  return (
    reasons.network |
    (reasons.subject << 2) |
    (reasons.site << 4) |
    (MODES.indexOf(reasons.mode) << 6) |
    (reasons.bounded ? 1 << 8 : 0)
  )
}

export function unpackReasons(bits: number): Reasons {
  return {
    network: bits & 3,
    subject: (bits >> 2) & 3,
    site: (bits >> 4) & 3,
    mode: MODES[(bits >> 6) & 3] ?? 'adaptive',
    bounded: ((bits >> 8) & 1) === 1,
  }
}
