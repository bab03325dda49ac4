import { randomBytes } from 'node:crypto'
import { serializeSignedCookie } from 'better-call'
import type { Context } from '../../kit/context.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { authOf } from './auth.ts'
import type { Client } from './events.ts'
import { SESSION_SECONDS } from './settings.ts'

export const newSessionToken = (): string => randomBytes(24).toString('base64url')

/** The cookie of the session with the token, as a value of Set-Cookie. */
export async function sessionCookie(ctx: Context, token: string, maxAge: number): Promise<string> {
  const { authCookies, secret } = await (await authOf(ctx)).$context
  const { name, attributes } = authCookies.sessionToken
  return serializeSignedCookie(name, token, secret, { ...attributes, maxAge })
}

/** How a session was opened: by which identity, in which session of the provider, with two factors. */
export type Origin = { accountId?: string; sid?: string | undefined; mfa?: boolean }

/** Opens a session without better-auth, in place of the browser's `former` one. Returns its cookie. */
export async function openSession(
  ctx: Context,
  userId: string,
  { origin = {}, client, former }: { origin?: Origin; client: Client; former: string | undefined },
): Promise<string> {
  const token = newSessionToken()
  const now = ctx.clock.now()
  if (former !== undefined) await ctx.prisma.session.deleteMany({ where: { id: former } })
  await ctx.prisma.session.create({
    data: {
      id: newId(),
      userId,
      token,
      userAgent: client.userAgent ?? '',
      createdAt: new Date(now),
      expiresAt: new Date(now + SESSION_SECONDS * 1000),
      accountId: origin.accountId ?? null,
      sid: origin.sid ?? null,
      mfa: origin.mfa ?? false,
    },
  })
  return sessionCookie(ctx, token, SESSION_SECONDS)
}
