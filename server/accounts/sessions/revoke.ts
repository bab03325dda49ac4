import { AppError } from '../../kit/error.ts'
import type { UserCtx } from '../access.ts'
import { change } from '../change.ts'
import { endSessions } from './end.ts'

/** Ends one of the person's own sessions, immediately and on all nodes. */
export async function endSession(ctx: UserCtx, input: { id: string }): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    const { count } = await ctx.prisma.session.deleteMany({ where: { id: input.id, userId: ctx.user.id } })
    if (count === 0) throw new AppError('session-not-found')
    return { out: { id: input.id }, change: { tenantId: null, action: 'session.revoke', target: input.id } }
  })
}

/** Ends all of the person's sessions except the current one. */
export async function revokeOtherSessions(ctx: UserCtx): Promise<{ ended: number }> {
  return change(ctx, async (ctx) => {
    const ended = await endSessions(ctx, ctx.user.id, ctx.session.id)
    return {
      out: { ended },
      change: { tenantId: null, action: 'session.revoke_others', target: ctx.user.id, after: { ended } },
    }
  })
}
