import { randomBytes } from 'node:crypto'
import { serializeSignedCookie } from 'better-call'
import { newId } from '../../kit/crypto/ids.ts'
import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { authOf } from './auth.ts'

/**
 * Replaces the session id before the person's own role changes, so that the old id is invalid before the
 * new role applies. Freshness and expiry do not change. Returns the new context
 * and the cookie, which must be sent to the browser even if the change fails. Throws AppError.
 */
export async function renewSession(ctx: MemberCtx): Promise<{ ctx: MemberCtx; cookie: string }> {
  const { authCookies, secret } = await (await authOf(ctx)).$context
  const session = { id: newId(), createdAt: ctx.session.createdAt }
  const token = randomBytes(24).toString('base64url')
  const [renewed] = await ctx.prisma.session.updateManyAndReturn({
    where: { id: ctx.session.id },
    data: { id: session.id, token, updatedAt: new Date(ctx.clock.now()) },
    select: { expiresAt: true },
  })
  if (!renewed) throw new AppError('session-ended')
  const { name, attributes } = authCookies.sessionToken
  const cookie = await serializeSignedCookie(name, token, secret, {
    ...attributes,
    maxAge: Math.ceil((renewed.expiresAt.getTime() - ctx.clock.now()) / 1000),
  })
  return { ctx: { ...ctx, session }, cookie }
}
