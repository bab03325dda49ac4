import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../kit/context.ts'
import { authOf } from './auth.ts'
import { type Refusal, refusalOf } from './challenge.ts'
import { isRecoveryCode, judgeRecovery, judgeTotp } from './codes.ts'
import { currentSession, type Person } from './current.ts'
import { type Client, recordFactor } from './events.ts'

/**
 * Refuses a signed-in person who does not give their password and, if they have an authenticator, its code or a recovery
 * code, which is used up: a stolen session must not be enough to change how the person signs in. Returns the refusal in
 * better-auth's form, undefined if the proof is right, or if there is no session, which better-auth refuses.
 */
export async function refuseWithoutProof(
  ctx: Context,
  { headers, ip }: { headers: IncomingHttpHeaders; ip: string },
  body: unknown,
): Promise<Response | undefined> {
  const current = await currentSession(ctx, headers)
  if (!current) return undefined
  const given = Object(body) as { password?: unknown; code?: unknown }
  const refused =
    (await refusePassword(ctx, current.user, given.password)) ??
    (await refuseCode(ctx, current.user, given.code, { address: ip, userAgent: headers['user-agent'] }))
  if (!refused) return undefined
  const { status, retryAfter, ...reply } = refused
  return Response.json(reply, {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  })
}

async function refusePassword(ctx: Context, user: Person, given: unknown): Promise<Refusal | undefined> {
  if (typeof given !== 'string' || given.length > 128)
    return { status: 400, code: 'PASSWORD_REQUIRED', message: 'Enter your password.' }
  const { password, internalAdapter } = await (await authOf(ctx)).$context
  const account = await internalAdapter.findCredentialAccount(user.id)
  const hash = account?.password
  const right = hash && (await password.verify({ hash, password: given }))
  return right ? undefined : { status: 400, code: 'INVALID_PASSWORD', message: 'Wrong password.' }
}

async function refuseCode(ctx: Context, user: Person, code: unknown, client: Client): Promise<Refusal | undefined> {
  if (!user.twoFactorEnabled) return undefined
  if (typeof code !== 'string')
    return { status: 400, code: 'CODE_REQUIRED', message: 'Enter the code of your authenticator app.' }
  const { secretConfig } = await (await authOf(ctx)).$context
  const kind = isRecoveryCode(code) ? 'recovery' : 'totp'
  const judged =
    kind === 'totp'
      ? await judgeTotp(ctx, secretConfig, user.id, code)
      : await judgeRecovery(ctx, secretConfig, { userId: user.id, code, use: true })
  if (judged.verdict === 'right' && kind === 'recovery') await recordFactor(ctx, user, 'recovery_code.use', client)
  return refusalOf(judged.verdict === 'missing' ? { verdict: 'wrong' } : judged, kind)
}
