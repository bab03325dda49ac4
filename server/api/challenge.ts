import type { VisitorCtx } from '../accounts/access.ts'
import { issueChallenge } from '../captcha/challenges/issue.ts'
import { ChallengeRequest } from '../contract/wire.ts'
import { readFields } from './fields.ts'

/** POST /challenge */
export async function postChallenge(ctx: VisitorCtx, body: unknown) {
  const fields = readFields(ChallengeRequest, body)
  const issued = await issueChallenge(ctx, fields.intent_id)
  const { expiresAt: expires_at } = issued
  if (issued.kind === 'none') return { kind: issued.kind, response: issued.response, expires_at }
  const { kind, challenge, seed, count, target } = issued
  return { kind, challenge, seed, count, target, expires_at }
}
