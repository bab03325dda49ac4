import type { VisitorCtx } from '../accounts/access.ts'
import { issueChallenge } from '../captcha/challenges/issue.ts'
import { ChallengeRequest } from '../contract/wire.ts'
import { readFields } from './fields.ts'

/** POST /challenge */
export async function postChallenge(ctx: VisitorCtx, body: unknown) {
  const fields = readFields(ChallengeRequest, body)
  const issued = await issueChallenge(ctx, fields.intent_id, fields.kinds ?? ['pow-sha256'])
  const { expiresAt: expires_at } = issued
  if (issued.kind === 'none') return { kind: issued.kind, response: issued.response, expires_at }
  const { kind, challenge, seed, count, target, span } = issued
  const puzzles = { kind, challenge, seed, count, target }
  return kind === 'pow-hashwx' ? { ...puzzles, span, expires_at } : { ...puzzles, expires_at }
}
