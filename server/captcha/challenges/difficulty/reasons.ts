import type { SiteFacts } from '../../../accounts/sites/facts.ts'
import { HINTS, type Hint, LATE_HINTS } from '../../../contract/hints.ts'
import { FALLBACK_TIMES } from '../../../contract/sitePolicy.ts'
import type { Kind } from '../../../contract/wire.ts'

/** Why a challenge has its difficulty. The numbers say how often each cause doubled it, or would have in adaptive mode. */
export type Reasons = {
  kind: Kind
  /** 0–3, for the busiest of the client's networks. */
  network: number
  /** Which of them: 0 an IPv4 address or IPv6 /64, 1 a /56, 2 an IPv4 /24 or IPv6 /48, 3 an IPv6 /32, 4 a hosting provider. */
  tier: number
  /** 0–3. */
  subject: number
  /** 0–2. */
  site: number
  /** 3 for SHA-256 in place of the kind that the site prefers, beyond the deployment's budget for it; otherwise 0. */
  fallback: number
  /** 0–2, for feedback about earlier decisions. */
  feedback: number
  /** The list that the client's network is on. */
  list: 'allow' | 'dear' | null
  hints: readonly Hint[]
  /** What was noticed with the solution only, so that it did not raise this challenge. */
  noticed: readonly Hint[]
  mode: SiteFacts['workMode'] | 'test'
  /** The maximum limited the difficulty. */
  bounded: boolean
}

/** How often the dear list doubles the difficulty. */
const DEAR = 2

/** How often each hint doubles the difficulty, and all together at most. */
const HINT_DOUBLINGS = {
  automation: 2,
  webdriver: 2,
  headers: 1,
  speed: 1,
  idle: 1,
  honeypot: 2,
} as const satisfies Record<Hint, number>
const MOST_OF_HINTS = 3

const doublingsOf = (hints: readonly Hint[]): number =>
  Math.min(
    MOST_OF_HINTS,
    hints.reduce((sum, hint) => sum + HINT_DOUBLINGS[hint], 0),
  )

/** The factors of attack mode for networks that double the difficulty in adaptive mode, by how often they do. */
const ATTACK = [1, 1.5, 2.5, 3] as const

/** What SHA-256 in place of another kind costs more, beyond the deployment's budget. */
export const fallbackTimes = ({ fallback }: Pick<Reasons, 'fallback'>): number => (fallback > 0 ? FALLBACK_TIMES : 1)

/** What raised a difficulty, and by which factor. In fixed mode only the missing kind does, in attack mode also the network. */
export function causesOf(reasons: Reasons): { cause: Cause; times: number }[] {
  const { mode, network, subject, site, feedback, list, hints } = reasons
  if (mode === 'test') return []
  const missing = { cause: 'fallback', times: fallbackTimes(reasons) } as const
  const ofMode = {
    fixed: [],
    attack: [{ cause: 'network', times: ATTACK[network] ?? 1 }],
    adaptive: [
      { cause: 'network', times: 2 ** network },
      { cause: 'subject', times: 2 ** subject },
      { cause: 'site', times: 2 ** site },
      { cause: 'feedback', times: 2 ** feedback },
      { cause: 'list', times: list === 'dear' ? 2 ** DEAR : 1 },
      { cause: 'hints', times: 2 ** doublingsOf(hints) },
    ],
  } as const
  return [...ofMode[mode], missing].filter(({ times }) => times > 1)
}
export type Cause = 'network' | 'subject' | 'site' | 'feedback' | 'list' | 'hints' | 'fallback'

const MODES: readonly Reasons['mode'][] = ['adaptive', 'fixed', 'attack', 'test']
const LISTS: readonly Reasons['list'][] = [null, 'allow', 'dear']
const KINDS: readonly Kind[] = ['pow-sha256', 'pow-hashwx']

/** The first bit of each field in the packed reasons. Fields are only ever added: decisions keep their bits for years. */
const AT = {
  network: 0,
  subject: 2,
  site: 4,
  mode: 6,
  bounded: 8,
  fallback: 9,
  tier: 11,
  list: 13,
  feedback: 15,
  kind: 17,
  /** One bit each. */
  hints: 18,
  /** One bit each of LATE_HINTS. */
  noticed: 24,
  /** The busiest network was a hosting provider; `tier` is 0 then. */
  provider: 28,
} as const

/** The bits of what was noticed about one visitor, and of that and the site's surge: what attacks raise. */
export const OWN_SIGNALS =
  (3 << AT.network) | (3 << AT.subject) | (3 << AT.feedback) | (((1 << HINTS.length) - 1) << AT.hints)
export const SIGNALS = OWN_SIGNALS | (3 << AT.site)

const bitsOf = (all: readonly Hint[], hints: readonly Hint[], at: number): number =>
  all.reduce((bits, hint, i) => (hints.includes(hint) ? bits | (1 << (at + i)) : bits), 0)

/** The reasons as bits, for a sealed field and the decision's row. */
export function packReasons(reasons: Reasons): number {
  return (
    (reasons.network << AT.network) |
    (reasons.subject << AT.subject) |
    (reasons.site << AT.site) |
    (MODES.indexOf(reasons.mode) << AT.mode) |
    (Number(reasons.bounded) << AT.bounded) |
    (reasons.fallback << AT.fallback) |
    ((reasons.tier & 3) << AT.tier) |
    ((reasons.tier >> 2) << AT.provider) |
    (LISTS.indexOf(reasons.list) << AT.list) |
    (reasons.feedback << AT.feedback) |
    (KINDS.indexOf(reasons.kind) << AT.kind) |
    bitsOf(HINTS, reasons.hints, AT.hints) |
    bitsOf(LATE_HINTS, reasons.noticed, AT.noticed)
  )
}

export function unpackReasons(bits: number): Reasons {
  const two = (at: number): number => (bits >> at) & 3
  const one = (at: number): number => (bits >> at) & 1
  return {
    kind: KINDS[one(AT.kind)] ?? 'pow-sha256',
    network: two(AT.network),
    tier: two(AT.tier) + 4 * one(AT.provider),
    subject: two(AT.subject),
    site: two(AT.site),
    fallback: two(AT.fallback),
    feedback: two(AT.feedback),
    list: LISTS[two(AT.list)] ?? null,
    hints: HINTS.filter((_, i) => one(AT.hints + i) === 1),
    noticed: LATE_HINTS.filter((_, i) => one(AT.noticed + i) === 1),
    mode: MODES[two(AT.mode)] ?? 'adaptive',
    bounded: one(AT.bounded) === 1,
  }
}
