import { counted, percent, whole } from '../ui/text/format.ts'
import { fromDateInput, type Zone } from '../ui/text/zone.ts'

export const OUTCOMES = {
  confirmed_abuse: 'Confirmed abuse',
  legitimate: 'Legitimate',
  unknown: 'Unknown',
} as const

/** The business types of the docs, the demo and the plugin for WordPress. Merchants have others. */
const BUSINESS_TYPES: Readonly<Record<string, string>> = {
  account_takeover: 'Account takeover',
  card_testing: 'Card testing',
  chargeback: 'Chargeback',
  comment_moderation: 'Comment moderation',
  customer_called: 'Customer called',
  manual_review: 'Manual review',
  spam_account: 'Spam account',
  ticket_resale: 'Ticket resale',
}

/** A business type in words; undefined for a merchant's own, which is shown as it was sent. */
export const businessWords = (type: string): string | undefined =>
  Object.hasOwn(BUSINESS_TYPES, type) ? BUSINESS_TYPES[type] : undefined

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

/** The number of reports from which a kind is compared. */
const ENOUGH = 10

/** The kind with the most abuse, in a sentence. */
export function standsOut(kinds: readonly (Reported & { words: string })[]): string {
  const worst = kinds
    .filter((kind) => reportedOf(kind) >= ENOUGH)
    .toSorted((a, b) => (abuseOf(b) ?? 0) - (abuseOf(a) ?? 0))[0]
  const all = kinds.reduce((sum, kind) => sum + reportedOf(kind), 0)
  if (all === 0) return 'No reports.'
  if (!worst) return `${counted(all, 'report')}. A row is compared once it has ${ENOUGH}.`
  const share = abuseOf(worst) ?? 0
  if (share === 0) return 'None with enough reports stands out.'
  return `Most abuse: ${worst.words}, ${percent(share)} of ${whole(reportedOf(worst))}.`
}

/**
 * The time of a date input in Unix seconds; NaN if incomplete. The input has no seconds, so the minute that it showed first
 * means that time, `started`, and the minute of the redemption means the redemption.
 */
export function occurredAt(text: string, zone: Zone, redeemedAt: number, started: number): number {
  const at = fromDateInput(text, zone, started)
  if (at === Math.floor(started / 60) * 60) return Math.floor(started)
  const redeemed = Math.floor(redeemedAt)
  return at < redeemed && at + 60 > redeemed ? redeemed : at
}
