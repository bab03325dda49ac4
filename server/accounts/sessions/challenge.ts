import { APIError, type createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type { Context } from '../../kit/context.ts'
import { type Judgement, judgeTotp } from './codes.ts'

type Endpoint = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** The person whose code an endpoint checks: of the session, or of the sign-in that waits for the code. */
async function challengedPerson(endpoint: Endpoint): Promise<string | undefined> {
  const session = await getSessionFromCtx(endpoint)
  if (session) return session.user.id
  const { createAuthCookie, internalAdapter, secret } = endpoint.context
  const challenge = await endpoint.getSignedCookie(createAuthCookie('two_factor').name, secret)
  if (!challenge) return undefined
  const waiting = await internalAdapter.findVerificationValue(challenge)
  return waiting && waiting.expiresAt > new Date() ? waiting.value : undefined
}

/** Checks the code in the body before better-auth does. `missing`: there is no one to check it for; better-auth refuses. */
export async function judgeChallenge(ctx: Context, endpoint: Endpoint): Promise<Judgement> {
  const { code } = Object(endpoint.body) as { code?: unknown }
  const userId = typeof code === 'string' ? await challengedPerson(endpoint) : undefined
  return userId === undefined
    ? { verdict: 'missing' }
    : judgeTotp(ctx, endpoint.context.secretConfig, userId, String(code))
}

/** Throws the refusal of a code that was not right. */
export function refuseCode(judged: Judgement): void {
  if (judged.verdict === 'wrong')
    throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'The code is wrong or was used before.' })
  if (judged.verdict === 'locked')
    throw new APIError(
      'TOO_MANY_REQUESTS',
      { code: 'ACCOUNT_TEMPORARILY_LOCKED', message: 'Too many wrong codes.' },
      { 'retry-after': String(judged.retryAfter) },
    )
}
