import type { VisitorCtx } from '../accounts/access.ts'
import { solveChallenge } from '../captcha/challenges/solve.ts'
import { Refusal } from '../kit/refusal.ts'
import { readFields } from './fields.ts'
import { SolveRequest } from './schema.ts'

/** The bytes of canonical base64url without padding: spare bits must be zero. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new Refusal('bad-field', { field: 'solution' })
  return bytes
}

/** POST /solve */
export async function postSolve(ctx: VisitorCtx, body: unknown) {
  const fields = readFields(SolveRequest, body)
  const { response, expiresAt } = await solveChallenge(ctx, {
    intentId: fields.intent_id,
    challenge: fields.challenge,
    solution: decode(fields.solution),
  })
  return { response, expires_at: expiresAt }
}
