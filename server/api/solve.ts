import type { VisitorCtx } from '../accounts/access.ts'
import { solveChallenge } from '../captcha/challenges/solve.ts'
import { SolveRequest } from '../contract/wire.ts'
import { readFields } from './fields.ts'

/** POST /solve */
export async function postSolve(ctx: VisitorCtx, body: unknown) {
  const fields = readFields(SolveRequest, body)
  const { response, expiresAt } = await solveChallenge(ctx, {
    intentId: fields.intent_id,
    challenge: fields.challenge,
    solution: Buffer.from(fields.solution, 'base64url'),
  })
  return { response, expires_at: expiresAt }
}
