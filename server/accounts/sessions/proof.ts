import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../kit/context.ts'
import { authOf } from './auth.ts'
import { type Refusal, refusalOf } from './challenge.ts'
import { isRecoveryCode, judgeRecovery, judgeTotp } from './codes.ts'
import { type CurrentSession, currentSession, type Person } from './current.ts'
import { type Client, recordFactor } from './events.ts'
import { FRESH_SECONDS } from './settings.ts'

/**
 * Refuses a signed-in person who does not give their password (an account without one, or with PASSWORDS=off: who signed in
 * more than 10 minutes ago) and, if they have an authenticator, its code or a recovery code, which is used up: a stolen session
 * must not be enough to change how the person signs in. Returns the refusal in better-auth's form, undefined if the proof is
 * right, or if there is no session, which better-auth refuses.
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
    (await refusePassword(ctx, current, given.password)) ??
    (await refuseCode(ctx, current.user, given.code, { address: ip, userAgent: headers['user-agent'] }))
  return refused && refusalResponse(refused)
}

/** A refusal in better-auth's form. */
export const refusalResponse = ({ status, retryAfter, ...reply }: Refusal): Response =>
  Response.json(reply, {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  })

/** Whether the person authenticated in the last 10 minutes. */
export const isFresh = ({ clock }: Context, { createdAt }: CurrentSession): boolean =>
  clock.now() - createdAt.getTime() <= FRESH_SECONDS * 1000

type Current = { user: Person; session: CurrentSession }

async function refusePassword(ctx: Context, { user, session }: Current, given: unknown): Promise<Refusal | undefined> {
  const { password, internalAdapter } = await (await authOf(ctx)).$context
  const hash = (await internalAdapter.findCredentialAccount(user.id))?.password
  if (!hash) return isFresh(ctx, session) ? undefined : { status: 403, code: 'SESSION_NOT_FRESH' }
  if (typeof given !== 'string' || given.length > 128) return { status: 400, code: 'PASSWORD_REQUIRED' }
  return (await password.verify({ hash, password: given })) ? undefined : { status: 400, code: 'INVALID_PASSWORD' }
}

/** Refuses a person with an authenticator who does not give its code or a recovery code. */
export async function refuseCode(
  ctx: Context,
  user: Pick<Person, 'id' | 'email' | 'twoFactorEnabled'>,
  code: unknown,
  client: Client,
): Promise<Refusal | undefined> {
  if (!user.twoFactorEnabled) return undefined
  if (typeof code !== 'string') return { status: 400, code: 'CODE_REQUIRED' }
  const { secretConfig } = await (await authOf(ctx)).$context
  const kind = isRecoveryCode(code) ? 'recovery' : 'totp'
  const judged =
    kind === 'totp'
      ? await judgeTotp(ctx, secretConfig, user.id, code)
      : await judgeRecovery(ctx, secretConfig, { userId: user.id, code, use: true })
  if (judged.verdict === 'right' && kind === 'recovery') await recordFactor(ctx, user, 'recovery_code.use', client)
  return refusalOf(judged.verdict === 'missing' ? { verdict: 'wrong' } : judged, kind)
}
