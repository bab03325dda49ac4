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
  return kind === 'pow-hashwx'
    ? { kind, challenge, seed, count, target, span, expires_at }
    : { kind, challenge, seed, count, target, expires_at }
}
