import { APIError, type createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type { Context } from '../../kit/context.ts'
import { type Judgement, judgeRecovery, judgeTotp } from './codes.ts'

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

/**
 * Checks the code in the body before better-auth does, which counts after it checks. Returns the body with the code as better-auth
 * knows it. Throws the refusal of a code that is not right; better-auth refuses one for which there is no one to check it.
 */
export async function checkCode(ctx: Context, endpoint: Endpoint, kind: 'totp' | 'recovery'): Promise<object> {
  const body = Object(endpoint.body) as { code?: unknown }
  const { code } = body
  const userId = typeof code === 'string' ? await challengedPerson(endpoint) : undefined
  if (userId === undefined) return body
  const { secretConfig } = endpoint.context
  const given = { userId, code: String(code), use: false }
  const judged =
    kind === 'totp'
      ? await judgeTotp(ctx, secretConfig, userId, given.code)
      : await judgeRecovery(ctx, secretConfig, given)
  const refused = refusalOf(judged, kind)
  if (refused)
    throw new APIError(
      refused.status === 401 ? 'UNAUTHORIZED' : 'TOO_MANY_REQUESTS',
      { code: refused.code },
      refused.retryAfter === undefined ? {} : { 'retry-after': String(refused.retryAfter) },
    )
  return judged.verdict === 'right' ? { ...body, code: judged.code } : body
}

/** `code`: one of server/admin/authErrors.ts, which has the sentence. */
export type Refusal = { status: number; code: string; retryAfter?: number }

/** The refusal of a code that was not right, in better-auth's words; undefined if it was, or if there is no authenticator. */
export function refusalOf(judged: Judgement, kind: 'totp' | 'recovery'): Refusal | undefined {
  if (judged.verdict === 'locked')
    return { status: 429, code: 'ACCOUNT_TEMPORARILY_LOCKED', retryAfter: judged.retryAfter }
  if (judged.verdict !== 'wrong') return undefined
  return { status: 401, code: kind === 'totp' ? 'INVALID_CODE' : 'INVALID_BACKUP_CODE' }
}
