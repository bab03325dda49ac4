import type { VisitorCtx } from '../../../accounts/access.ts'
import { HINTS, type Hint } from '../../../contract/hints.ts'
import type { Kind } from '../../../contract/wire.ts'
import type { Resource } from '../../../kit/context.ts'
import { AppError } from '../../../kit/error.ts'
import { packReasons, unpackReasons } from '../difficulty/reasons.ts'
import { DecayingCounter } from '../networks/decay.ts'
import type { Challenge } from '../sealed.ts'
import { union } from './declared.ts'

/** The seconds after which a declared program is invited to try again: long, because it will be the same program. */
const RETRY_AFTER = 3600

/** Throws `rate-limited` if the site refuses clients that say themselves that they are programs. */
export function refuseDeclared({ site, visitor }: VisitorCtx): void {
  if (!site.refuseAutomation || site.test) return
  if (visitor.hints.some((hint) => hint === 'automation' || hint === 'webdriver'))
    throw new AppError('rate-limited', { detail: 'automation', retryAfter: RETRY_AFTER })
}

/**
 * The rate, in hashes per millisecond, that no browser reaches, by kind. The component starts at most 8 workers. The fastest
 * measured one computes 17,000 hashes of SHA-256 per millisecond, or of HashWX as many as count as 21,000; the bounds allow
 * 25,000. The number of hashes that a challenge takes scatters: with 32 puzzles, one challenge in a million takes less than
 * 0.37 of the expected number, and with the 16 puzzles of HashWX less than 0.21.
 */
export const FASTEST: Record<Kind, number> = { 'pow-sha256': 550_000, 'pow-hashwx': 950_000 }

/**
 * Whether a challenge of `work` expected hashes was solved faster than any browser computes. `elapsed`: milliseconds from
 * its issue to its solution, which include the network, so this finds fast hardware only close to the service.
 */
export const isTooFast = (kind: Kind, work: number, elapsed: number): boolean => work > elapsed * FASTEST[kind]

const HALF_LIFE_MS = 10 * 60_000
const MAX_KEYS = 100_000

/** Solutions by network, and those of them with a hint by hint and network. */
type Noticed = { solved: DecayingCounter; hinted: DecayingCounter }

const NOTICED: Resource<Noticed> = {
  name: 'hints of networks',
  make() {
    const counter = () => new DecayingCounter({ halfLife: HALF_LIFE_MS, maxKeys: MAX_KEYS })
    return { solved: counter(), hinted: counter() }
  },
}

/** A single solution counts for its network for one half-life. */
const LEAST = 0.5
/** Below this share of its recent solutions, a hint does not count: many people may share an address with one program. */
const SHARE = 0.25

/**
 * What is noticed about a visitor who asks for a challenge: in the request itself, and in a good part of the recent solutions of
 * the same network.
 */
export function noticedAtChallenge({ site, visitor, resources }: VisitorCtx, now: number): readonly Hint[] {
  const { solved, hinted } = resources.of(NOTICED)
  const { network } = visitor.address
  const all = site.test ? 0 : solved.weight(network, now)
  if (all < LEAST) return visitor.hints
  const least = Math.max(LEAST, SHARE * all)
  return union(
    visitor.hints,
    HINTS.filter((hint) => hinted.weight(`${hint} ${network}`, now) >= least),
  )
}

/**
 * The reasons of a solved challenge, packed, with what was noticed when it was solved. That is too late for the price of this
 * challenge, so it raises the price of the next ones of the visitor's network for some minutes.
 */
export function noticedAtSolve({ site, visitor, resources }: VisitorCtx, challenge: Challenge, now: number): number {
  const { work, issuedAt, reasons: bits, span } = challenge
  if (site.test) return bits
  const kind = span > 0 ? 'pow-hashwx' : 'pow-sha256'
  const late: readonly Hint[] = isTooFast(kind, work, now - issuedAt) ? [...visitor.facts, 'speed'] : visitor.facts
  const { solved, hinted } = resources.of(NOTICED)
  const { network } = visitor.address
  solved.count(network, now)
  for (const hint of late) hinted.count(`${hint} ${network}`, now)
  if (late.length === 0) return bits
  const reasons = unpackReasons(bits)
  return packReasons({ ...reasons, noticed: late.filter((hint) => !reasons.hints.includes(hint)) })
}
