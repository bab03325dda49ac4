import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VisitorCtx } from '../../accounts/access.ts'
import { seconds } from '../../kit/clock.ts'
import { Refusal } from '../../kit/refusal.ts'
import { findIntent } from '../intents/find.ts'
import { WRONG_SOLUTIONS } from '../limits/rules.ts'
import { sealToken } from '../tokens/token.ts'
import { countStep } from '../usage/count.ts'
import { solves } from './kinds/powSha256.ts'
import { networkHash } from './network.ts'
import { assertOrigin } from './origin.ts'
import { assertRate } from './rate.ts'
import { openChallenge } from './sealed.ts'

export type SolveInput = { intentId: string; challenge: string; solution: Buffer }

/** The response token; `expiresAt` in Unix seconds, the intent's. */
export type Solved = { response: string; expiresAt: number }

/**
 * Judges a solution and seals the token. Nothing is written, and nothing is read either: the challenge carries all.
 * Seal, expiry and attempt count come before any hashing.
 */
export async function solveChallenge(ctx: VisitorCtx, input: SolveInput): Promise<Solved> {
  const { intentId } = input
  const intent = { intentId, siteId: ctx.site.id }
  const challenge = openChallenge(ctx.keyring, input.challenge, intent)
  if (!challenge)
    throw new Refusal('bad-field', { field: (await findIntent(ctx, intentId)) ? 'challenge' : 'intent_id' })
  assertOrigin(ctx, challenge.hostname)
  await assertRate(ctx)
  const retryAfter = await ctx.limiter.wait(WRONG_SOLUTIONS, intentId)
  if (retryAfter > 0) throw new Refusal('rate-limited', { retryAfter })
  if (!ctx.site.enabled) throw new Refusal('site-disabled')
  const now = ctx.clock.now()
  if (challenge.intentExpiresAt <= now) throw new Refusal('intent-expired')
  if (challenge.expiresAt <= now) throw new Refusal('challenge-expired')
  if (ctx.site.test?.refuses?.at === 'solve') throw new Refusal(ctx.site.test.refuses.code)
  // lets the turn's other requests be read before the hashing: half the CPU per request under load
  await nextTurn()
  if (!solves(challenge, input.solution)) {
    await ctx.limiter.take(WRONG_SOLUTIONS, intentId)
    throw new Refusal('solution-invalid')
  }
  countStep(ctx, 'solved', intentId)
  const response = sealToken(ctx.keyring, {
    ...intent,
    solve: {
      challengedAt: challenge.issuedAt,
      solvedAt: Math.max(challenge.issuedAt, Math.floor(now)),
      work: challenge.work,
      reasons: challenge.reasons,
      network: networkHash(ctx.keyring, ctx.visitor.address),
      mobile: ctx.visitor.mobile,
    },
  })
  return { response, expiresAt: seconds(challenge.intentExpiresAt) }
}
