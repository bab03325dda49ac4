import { randomBytes } from 'node:crypto'
import { serializeSignedCookie } from 'better-call'
import { newId } from '../../kit/ids.ts'
import type { MemberCtx } from '../access.ts'
import { AccountError } from '../error.ts'
import { authOf } from './auth.ts'

/**
 * Goes on under a new session id: for who is about to change their own role. What stood in the cookie until now opens
 * nothing any more, before the new role holds. How fresh the session is and when it ends stay. Returns the context to go on
 * with, and the cookie, which has to reach the browser whatever becomes of the change. Throws AccountError.
 */
export async function renewSession(ctx: MemberCtx): Promise<{ ctx: MemberCtx; cookie: string }> {
  const { authCookies, secret } = await (await authOf(ctx)).$context
  const session = { id: newId(), createdAt: ctx.session.createdAt }
  const token = randomBytes(24).toString('base64url')
  const [renewed] = await ctx.prisma.session.updateManyAndReturn({
    where: { id: ctx.session.id },
    data: { id: session.id, token },
    select: { expiresAt: true },
  })
  if (!renewed) throw new AccountError('conflict', 'This session has ended. Sign in again.')
  const { name, attributes } = authCookies.sessionToken
  const cookie = await serializeSignedCookie(name, token, secret, {
    ...attributes,
    maxAge: Math.ceil((renewed.expiresAt.getTime() - Date.now()) / 1000),
  })
  return { ctx: { ...ctx, session }, cookie }
}
