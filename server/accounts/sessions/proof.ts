import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../kit/context.ts'
import { authOf } from './auth.ts'
import { judgeTotp } from './codes.ts'
import { currentSession } from './current.ts'

/**
 * Refuses a signed-in person who does not give their password and, if they have an authenticator, its code: a passkey
 * signs in alone, so a stolen session must not be enough to add one. Returns the refusal in better-auth's form, undefined
 * if the proof is right, or if there is no session, which better-auth refuses.
 */
export async function refuseWithoutProof(
  ctx: Context,
  headers: IncomingHttpHeaders,
  body: unknown,
): Promise<Response | undefined> {
  const current = await currentSession(ctx, headers)
  if (!current) return undefined
  const given = Object(body) as { password?: unknown; code?: unknown }
  if (typeof given.password !== 'string' || given.password.length > 128)
    return refusal(400, 'PASSWORD_REQUIRED', 'Enter your password.')
  const { password, internalAdapter, secretConfig } = await (await authOf(ctx)).$context
  const account = await internalAdapter.findCredentialAccount(current.user.id)
  const hash = account?.password
  if (!hash || !(await password.verify({ hash, password: given.password })))
    return refusal(400, 'INVALID_PASSWORD', 'Wrong password.')
  if (!current.user.twoFactorEnabled) return undefined
  const { code } = given
  if (typeof code !== 'string') return refusal(400, 'CODE_REQUIRED', 'Enter the code of your authenticator app.')
  const judged = await judgeTotp(ctx, secretConfig, current.user.id, code)
  if (judged.verdict === 'right') return undefined
  if (judged.verdict === 'locked')
    return refusal(429, 'ACCOUNT_TEMPORARILY_LOCKED', 'Too many wrong codes.', judged.retryAfter)
  return refusal(401, 'INVALID_CODE', 'That code is wrong or was used before.')
}

const refusal = (status: number, code: string, message: string, retryAfter?: number): Response =>
  Response.json(
    { code, message },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) } },
  )
