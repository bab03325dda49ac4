import type { VisitorCtx } from '../../accounts/access.ts'
import { seconds } from '../../kit/db/clock.ts'
import { AppError } from '../../kit/error.ts'
import { findIntent } from '../intents/find.ts'
import { WRONG_SOLUTIONS } from '../limits/rules.ts'
import { unrecordedIf } from '../refusals/unrecorded.ts'
import { sealToken } from '../tokens/token.ts'
import { countStep } from '../usage/count.ts'
import { countSolved } from './difficulty/signals.ts'
import { noticedAtSolve } from './hints/noticed.ts'
import * as hashwx from './kinds/powHashwx.ts'
import * as sha256 from './kinds/powSha256.ts'
import { assertOrigin } from './origin.ts'
import { assertAge, countJunk, countVisit } from './rate.ts'
import { type Challenge, openChallenge } from './sealed.ts'
import { hashesOf } from './visitor.ts'

export type SolveInput = { intentId: string; challenge: string; solution: Buffer }

/** The response token; `expiresAt` in Unix seconds, the intent's. */
export type Solved = { response: string; expiresAt: number }

/**
 * Verifies a solution and seals the token. Neither reads nor writes the database: the sealed challenge contains
 * everything. Seal, minimum age, attempt count and expiry are checked before any hashing. Each solution is counted before it is verified;
 * a correct one is uncounted, and a wrong one invalidates every challenge issued for the intent so far.
 */
export async function solveChallenge(ctx: VisitorCtx, input: SolveInput): Promise<Solved> {
  const { intentId } = input
  const intent = { intentId, siteId: ctx.site.id }
  const challenge = openChallenge(ctx.keyring, input.challenge, intent)
  if (!challenge) {
    // before the look-up: past the limit a request costs no statement
    await countJunk(ctx)
    throw new AppError('bad-field', { field: (await findIntent(ctx, intentId)) ? 'challenge' : 'intent_id' })
  }
  return unrecordedIf(challenge.inConsole, () => verifySolution(ctx, challenge, input))
}

async function verifySolution(
  ctx: VisitorCtx,
  challenge: Challenge,
  { intentId, solution }: SolveInput,
): Promise<Solved> {
  await countVisit(ctx, intentId)
  assertOrigin(ctx, challenge.hostname, challenge.inConsole)
  const now = ctx.clock.now()
  if (ctx.site.test?.refuses?.at === 'solve') {
    assertLiving(ctx, challenge, now)
    throw new AppError(ctx.site.test.refuses.code)
  }
  assertAge(ctx, challenge)
  const attempt = await ctx.attempts.begin(WRONG_SOLUTIONS, intentId, challenge.round)
  if (attempt.state === 'limited') throw new AppError('rate-limited', { retryAfter: attempt.retryAfter })
  let right = false
  try {
    assertLiving(ctx, challenge, now)
    right = attempt.state === 'begun' && solves(ctx, challenge, solution)
  } catch (refusal) {
    if (attempt.state === 'begun') await ctx.attempts.giveBack(WRONG_SOLUTIONS, intentId)
    throw refusal
  }
  if (attempt.state === 'over') throw new AppError('challenge-expired')
  if (!right) {
    await ctx.attempts.fail(WRONG_SOLUTIONS, intentId)
    if (!ctx.site.test) await countJunk(ctx)
    throw new AppError('solution-invalid')
  }
  await ctx.attempts.giveBack(WRONG_SOLUTIONS, intentId)
  // once: the same solution may be sent again
  if (!challenge.inConsole && countStep(ctx, 'solved', intentId)) countSolved(ctx, challenge, now)
  const { network, area } = hashesOf(ctx)
  const response = sealToken(ctx.keyring, {
    intentId,
    siteId: ctx.site.id,
    solve: {
      challengedAt: challenge.issuedAt,
      solvedAt: Math.max(challenge.issuedAt, Math.floor(now)),
      work: challenge.work,
      reasons: noticedAtSolve(ctx, challenge, now),
      network,
      area,
      mobile: ctx.visitor.mobile,
    },
  })
  return { response, expiresAt: seconds(challenge.intentExpiresAt) }
}

const solves = ({ keyring }: VisitorCtx, challenge: Challenge, solution: Buffer): boolean =>
  challenge.span > 0 ? hashwx.solves(challenge, solution, keyring.current.key) : sha256.solves(challenge, solution)

function assertLiving(ctx: VisitorCtx, challenge: Challenge, now: number): void {
  if (!ctx.site.enabled) throw new AppError('site-disabled')
  if (challenge.intentExpiresAt <= now) throw new AppError('intent-expired')
  if (challenge.expiresAt <= now) throw new AppError('challenge-expired')
}
