import { newId } from '../../kit/crypto/ids.ts'
import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { newSessionToken, sessionCookie } from './open.ts'

/**
 * Replaces the session id before the person's own role changes, so that the old id is invalid before the
 * new role applies. Freshness and expiry do not change. Returns the new context
 * and the cookie, which must be sent to the browser even if the change fails. Throws AppError.
 */
export async function renewSession(ctx: MemberCtx): Promise<{ ctx: MemberCtx; cookie: string }> {
  const session = { ...ctx.session, id: newId() }
  const token = newSessionToken()
  const [renewed] = await ctx.prisma.session.updateManyAndReturn({
    where: { id: ctx.session.id },
    data: { id: session.id, token, updatedAt: new Date(ctx.clock.now()) },
    select: { expiresAt: true },
  })
  if (!renewed) throw new AppError('session-ended')
  const cookie = await sessionCookie(ctx, token, Math.ceil((renewed.expiresAt.getTime() - ctx.clock.now()) / 1000))
  return { ctx: { ...ctx, session }, cookie }
}
