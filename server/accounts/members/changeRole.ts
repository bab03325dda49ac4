import { type Role, reaches } from '../../contract/permissions.ts'
import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { endSessions } from '../sessions/end.ts'
import { findMember, keepOwner, lockAsWriter, lockMemberships } from './lock.ts'

/**
 * Changes a member's role. Neither the old nor the new role may be above the caller's own, and the last owner cannot be
 * changed. The member has to sign in again, also for their other tenants. Throws AppError.
 */
export async function changeRole(
  ctx: MemberCtx,
  input: { member: string; role: Role },
): Promise<{ id: string; role: Role }> {
  return change(ctx, async (ctx) => {
    const role = await lockAsWriter(ctx)
    const member = await findMember(ctx, input.member)
    if (!reaches(role, member.role) || !reaches(role, input.role))
      throw new AppError('role-change-forbidden', { role, from: member.role, to: input.role })
    if (input.role !== 'owner') await keepOwner(ctx, member)
    await ctx.prisma.member.update({ where: { id: member.id }, data: { role: input.role } })
    if (member.role !== input.role) await endSessions(ctx, member.userId)
    return {
      out: { id: member.id, role: input.role },
      change: {
        tenantId: ctx.tenant.id,
        action: 'member.change_role',
        target: member.id,
        before: { role: member.role },
        after: { role: input.role },
      },
    }
  })
}

/**
 * Makes another member the owner and the caller an admin, in one transaction. Both have to sign in again, except for the
 * calling session, which the procedure renews first. Throws AppError.
 */
export async function transferOwnership(ctx: MemberCtx, input: { member: string }): Promise<{ owner: string }> {
  return change(ctx, async (ctx) => {
    await lockMemberships(ctx)
    const to = await findMember(ctx, input.member)
    if (to.userId === ctx.user.id) throw new AppError('already-owner')
    // the caller may have lost the ownership since the request arrived
    const { count } = await ctx.prisma.member.updateMany({
      where: { tenantId: ctx.tenant.id, userId: ctx.user.id, role: 'owner' },
      data: { role: 'admin' },
    })
    if (count === 0) throw new AppError('owner-required')
    await ctx.prisma.member.update({ where: { id: to.id }, data: { role: 'owner' } })
    await endSessions(ctx, to.userId)
    await endSessions(ctx, ctx.user.id, ctx.session.id)
    return {
      out: { owner: to.id },
      change: {
        tenantId: ctx.tenant.id,
        action: 'tenant.transfer',
        target: to.id,
        before: { role: to.role },
        after: { role: 'owner', former: ctx.user.id },
      },
    }
  })
}
