import type { VisitorCtx } from '../../accounts/access.ts'
import { DOCTOR_ACTION, PLAYGROUND_ACTION } from '../../contract/names.ts'
import type { Kind } from '../../contract/wire.ts'
import { randomSeed } from '../../kit/crypto/ids.ts'
import { seconds } from '../../kit/db/clock.ts'
import { AppError } from '../../kit/error.ts'
import { isExempt } from '../grants/enabled.ts'
import { type FoundIntent, findIntent } from '../intents/find.ts'
import { WRONG_SOLUTIONS } from '../limits/rules.ts'
import { unrecordedIf } from '../refusals/unrecorded.ts'
import { sealToken } from '../tokens/token.ts'
import { countStep } from '../usage/count.ts'
import { type Admitted, admitVisit } from './admit.ts'
import { packReasons } from './difficulty/reasons.ts'
import { refuseDeclared } from './hints/noticed.ts'
import * as hashwx from './kinds/powHashwx.ts'
import * as sha256 from './kinds/powSha256.ts'
import { assertNotDenied } from './networks/lists.ts'
import { assertOrigin } from './origin.ts'
import { countJunk, countLookUp } from './rate.ts'
import { sealChallenge } from './sealed.ts'

/**
 * A challenge for the browser, or the token for an intent opened with a grant. `span` is 0 for pow-sha256. Times are Unix
 * seconds.
 */
export type IssuedChallenge =
  | { kind: Kind; challenge: string; seed: string; count: number; target: number; span: number; expiresAt: number }
  | { kind: 'none'; response: string; expiresAt: number }

/** Long enough for the slowest phone at the highest difficulty, short enough that solutions cannot be stockpiled. */
const LIFETIME_MS = 120_000

const isInConsole = ({ action }: FoundIntent): boolean => action === PLAYGROUND_ACTION

/** Issues a fresh sealed puzzle of one of `kinds` for an intent of the site that is neither expired nor redeemed. Writes nothing. */
export async function issueChallenge(
  ctx: VisitorCtx,
  intentId: string,
  kinds: readonly string[],
): Promise<IssuedChallenge> {
  // before the look-up: past the limit, or from a denied network, a request costs no statement
  assertNotDenied(ctx.visitor)
  const counted = await countLookUp(ctx, intentId)
  const intent = await findIntent(ctx, intentId)
  if (!intent) {
    if (!counted) await countJunk(ctx)
    throw new AppError('bad-field', { field: 'intent_id' })
  }
  if (!ctx.site.test) await counted?.giveBack()
  return unrecordedIf(isInConsole(intent), () => issueFor(ctx, intent, kinds))
}

async function issueFor(ctx: VisitorCtx, intent: FoundIntent, kinds: readonly string[]): Promise<IssuedChallenge> {
  const { id: intentId } = intent
  assertOrigin(ctx, intent.hostname, isInConsole(intent), intent.action === DOCTOR_ACTION ? 'doctor' : undefined)
  if (!ctx.site.enabled) throw new AppError('site-disabled')
  const now = ctx.clock.now()
  // a page that a cache has kept until after its submission: the component renews the intent instead of solving in vain
  if (intent.redeemed || intent.expiresAt <= now) throw new AppError('intent-expired')
  // if the grant was revoked or grants were disabled meanwhile, the intent remains valid but needs a challenge
  if (isExempt(ctx, intent)) {
    const response = sealToken(ctx.keyring, { intentId, siteId: ctx.site.id, solve: null })
    countStep(ctx, 'exempted', intentId)
    return { kind: 'none', response, expiresAt: seconds(intent.expiresAt) }
  }
  refuseDeclared(ctx)
  const admitted = await admitVisit(ctx, intent, kinds, now)
  const round = await ctx.attempts.round(WRONG_SOLUTIONS, intentId)
  if (!isInConsole(intent)) countStep(ctx, 'challenged', intentId)
  return issuePuzzle(ctx, intent, admitted, { now, round })
}

function issuePuzzle(
  ctx: VisitorCtx,
  intent: FoundIntent,
  { work, minAge, reasons, networks }: Admitted,
  { now, round }: { now: number; round: number },
): IssuedChallenge {
  const { kind } = reasons
  const puzzles =
    kind === 'pow-hashwx'
      ? {
          seed: Buffer.concat([randomSeed(), randomSeed()]),
          count: hashwx.COUNT,
          target: hashwx.targetFor(work),
          span: hashwx.SPAN,
        }
      : { seed: randomSeed(), count: sha256.COUNT, target: sha256.targetFor(work), span: 0 }
  const expiresAt = Math.min(now + LIFETIME_MS, intent.expiresAt)
  const challenge = sealChallenge(ctx.keyring, {
    intentId: intent.id,
    siteId: ctx.site.id,
    hostname: intent.hostname,
    ...puzzles,
    work,
    reasons: packReasons(reasons),
    issuedAt: Math.floor(now),
    expiresAt: Math.floor(expiresAt),
    intentExpiresAt: Math.floor(intent.expiresAt),
    round,
    minAge,
    inConsole: isInConsole(intent),
    networks,
  })
  return { kind, challenge, ...puzzles, seed: puzzles.seed.toString('hex'), expiresAt: seconds(expiresAt) }
}
