import { randomBytes } from 'node:crypto'
import type { VisitorCtx } from '../../accounts/access.ts'
import { seconds } from '../../kit/clock.ts'
import { Refusal } from '../../kit/refusal.ts'
import { findIntent } from '../intents/find.ts'
import { COUNT, targetFor } from './kinds/powSha256.ts'
import { assertOrigin } from './origin.ts'
import { sealChallenge } from './sealed.ts'

/** A challenge as the browser gets it; `expiresAt` in Unix seconds. */
export type IssuedChallenge = { challenge: string; seed: string; count: number; target: number; expiresAt: number }

/** Long enough for the slowest phone at the highest work, short enough that answers cannot be stored up. */
const LIFETIME_MS = 120_000

/** Issues a fresh sealed puzzle for a living permit of the site. Nothing is written. */
export async function issueChallenge(ctx: VisitorCtx, intentId: string): Promise<IssuedChallenge> {
  const intent = await findIntent(ctx, intentId)
  if (!intent) throw new Refusal('bad-field', { field: 'intent_id' })
  assertOrigin(ctx, intent.hostname)
  if (!ctx.site.enabled) throw new Refusal('site-disabled')
  const now = ctx.clock.now()
  if (intent.expiresAt <= now) throw new Refusal('intent-expired')

  const work = ctx.site.baseWork
  const seed = randomBytes(16)
  const target = targetFor(work)
  const expiresAt = Math.min(now + LIFETIME_MS, intent.expiresAt)
  const challenge = sealChallenge(ctx.keyring, {
    intentId,
    siteId: ctx.site.id,
    hostname: intent.hostname,
    seed,
    count: COUNT,
    target,
    work,
    reasons: 0,
    issuedAt: Math.floor(now),
    expiresAt: Math.floor(expiresAt),
    intentExpiresAt: Math.floor(intent.expiresAt),
  })
  return { challenge, seed: seed.toString('hex'), count: COUNT, target, expiresAt: seconds(expiresAt) }
}
