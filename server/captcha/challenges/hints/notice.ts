import type { VisitorCtx } from '../../../accounts/access.ts'
import { AppError } from '../../../kit/error.ts'
import { HINTS, type Hint } from '../difficulty/hints.ts'
import { packReasons, unpackReasons } from '../difficulty/reasons.ts'
import type { Challenge } from '../sealed.ts'
import { hintsOfFacts } from './facts.ts'
import { hintsOfHeaders } from './headers.ts'
import { markNetwork, marksOf } from './marks.ts'
import { isTooFast } from './speed.ts'

const union = (...lists: readonly (readonly Hint[])[]): Hint[] =>
  HINTS.filter((hint) => lists.some((list) => list.includes(hint)))

/** What is noticed about a visitor who asks for a challenge: in the request itself, and in solutions of the same network. */
export const noticedAtChallenge = (ctx: VisitorCtx, now: number): Hint[] =>
  union(hintsOfHeaders(ctx.visitor.headers), hintsOfFacts(ctx.visitor.headers), ctx.site.test ? [] : marksOf(ctx, now))

/** The seconds after which a declared program is invited to try again: long, because it will be the same program. */
const RETRY_AFTER = 3600

/** Throws `rate-limited` if the site refuses clients that say themselves that they are programs. */
export function refuseDeclared(ctx: VisitorCtx): void {
  if (!ctx.site.refuseAutomation || ctx.site.test) return
  const { headers } = ctx.visitor
  if (
    [...hintsOfHeaders(headers), ...hintsOfFacts(headers)].some((hint) => hint === 'automation' || hint === 'webdriver')
  )
    throw new AppError('rate-limited', { detail: 'automation', retryAfter: RETRY_AFTER })
}

/**
 * The reasons of a solved challenge, packed, with what was noticed when it was solved. That is too late for the price of this
 * challenge, so it raises the price of the next ones of the visitor's network for some minutes.
 */
export function noticedAtSolve(ctx: VisitorCtx, challenge: Challenge, now: number): number {
  const { work, issuedAt, reasons: bits, span } = challenge
  if (ctx.site.test) return bits
  const facts = hintsOfFacts(ctx.visitor.headers)
  const kind = span > 0 ? 'pow-hashwx' : 'pow-sha256'
  const late: Hint[] = isTooFast(kind, work, now - issuedAt) ? [...facts, 'speed'] : facts
  markNetwork(ctx, late, now)
  if (late.length === 0) return bits
  const reasons = unpackReasons(bits)
  return packReasons({ ...reasons, noticed: late.filter((hint) => !reasons.hints.includes(hint)) })
}
