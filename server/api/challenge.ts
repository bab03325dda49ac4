import type { VisitorCtx } from '../accounts/access.ts'
import { issueChallenge } from '../captcha/challenges/issue.ts'
import { readFields } from './fields.ts'
import { ChallengeRequest } from './schema.ts'

/** POST /challenge */
export async function postChallenge(ctx: VisitorCtx, body: unknown) {
  const fields = readFields(ChallengeRequest, body)
  const { challenge, seed, count, target, expiresAt } = await issueChallenge(ctx, fields.intent_id)
  return { kind: 'pow-sha256', challenge, seed, count, target, expires_at: expiresAt }
}
