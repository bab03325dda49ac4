import { counted, percent, whole } from '../ui/text/format.ts'
import { fromDateInput, type Zone } from '../ui/text/zone.ts'

export const OUTCOMES = {
  confirmed_abuse: 'Confirmed abuse',
  legitimate: 'Legitimate',
  unknown: 'Unknown',
} as const

/** The colour of each outcome. */
export const OUTCOME_TONES = {
  confirmed_abuse: 'block',
  legitimate: 'pass',
  unknown: 'challenge',
} as const satisfies Record<keyof typeof OUTCOMES, string>

/** Numbers of reports by outcome. */
export type Reported = { confirmed_abuse: number; legitimate: number; unknown: number }

export const reportedOf = ({ confirmed_abuse, legitimate, unknown }: Reported): number =>
  confirmed_abuse + legitimate + unknown

/** The share of reports that are abuse; null without reports. */
export function abuseOf(rate: Reported): number | null {
  const all = reportedOf(rate)
  return all === 0 ? null : rate.confirmed_abuse / all
}

/** The share of completed verifications that are confirmed abuse; null without any. */
export const rateOf = ({ confirmed_abuse, redeemed }: Reported & { redeemed: number }): number | null =>
  redeemed === 0 ? null : confirmed_abuse / redeemed

/** A small share with two digits: `0.14%`. */
export const fine = (share: number): string =>
  share > 0 && share < 0.01 ? `${(share * 100).toFixed(2)}%` : percent(share)

type Edges = { from: number; to: number | null }

/** A range of seconds: `under 0.5 s`, `0.5–1 s`, `10 s or more`. */
export const secondsWords = (edges: Edges): string => rangeWords(edges, String, 's')

/** A range of expected hashes: `250–500 k`, `1–2 M`. */
export function hashesWords({ from, to }: Edges): string {
  const million = 1_000_000
  if (from >= million) return rangeWords({ from: from / million, to: to === null ? null : to / million }, String, 'M')
  if (to === million) return `${from / 1000} k – 1 M`
  return rangeWords({ from: from / 1000, to: to === null ? null : to / 1000 }, whole, 'k')
}

function rangeWords({ from, to }: Edges, format: (value: number) => string, unit: string): string {
  if (to === null) return `${format(from)} ${unit} or more`
  return from === 0 ? `under ${format(to)} ${unit}` : `${format(from)}–${format(to)} ${unit}`
}

/** The number of reports from which a kind is compared. */
const ENOUGH = 10

/** The kind with the most abuse, in a sentence. */
export function standsOut(kinds: readonly (Reported & { words: string })[]): string {
  const worst = kinds
    .filter((kind) => reportedOf(kind) >= ENOUGH)
    .toSorted((a, b) => (abuseOf(b) ?? 0) - (abuseOf(a) ?? 0))[0]
  const all = kinds.reduce((sum, kind) => sum + reportedOf(kind), 0)
  if (all === 0) return 'No reports.'
  if (!worst) return `${counted(all, 'report')}: too few to compare.`
  const share = abuseOf(worst) ?? 0
  if (share === 0) return 'No abuse among kinds with enough reports.'
  return `Most abuse: ${worst.words}, ${percent(share)} of ${whole(reportedOf(worst))}.`
}

/**
 * The time of a date input in Unix seconds; NaN if incomplete. The input has no seconds, so the minute of the redemption
 * means the redemption.
 */
export function occurredAt(text: string, zone: Zone, redeemedAt: number, now: number): number {
  const at = fromDateInput(text, zone, now)
  const redeemed = Math.floor(redeemedAt)
  return at < redeemed && at + 60 > redeemed ? redeemed : at
}
