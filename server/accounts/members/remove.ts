import { reaches } from '../../contract/permissions.ts'
import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { findMember, keepOwner, lockAsWriter, lockMemberships } from './lock.ts'

/** Removes a member immediately. Members with a higher role and the last owner cannot be removed. Throws AppError. */
export async function removeMember(ctx: MemberCtx, input: { member: string }): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    const role = await lockAsWriter(ctx)
    const member = await findMember(ctx, input.member)
    if (!reaches(role, member.role)) throw new AppError('removal-forbidden', { role, other: member.role })
    await keepOwner(ctx, member)
    await ctx.prisma.member.delete({ where: { id: member.id } })
    return {
      out: { id: member.id },
      change: {
        tenantId: ctx.tenant.id,
        action: 'member.remove',
        target: member.id,
        before: { user: member.userId, role: member.role },
      },
    }
  })
}

/** Ends the caller's own membership. The last owner cannot leave. Throws AppError. */
export async function leaveTenant(ctx: MemberCtx): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    await lockMemberships(ctx)
    const member = await ctx.prisma.member.findUnique({
      where: { tenantId_userId: { tenantId: ctx.tenant.id, userId: ctx.user.id } },
    })
    if (!member) throw new AppError('no-longer-member')
    await keepOwner(ctx, member)
    await ctx.prisma.member.delete({ where: { id: member.id } })
    return {
      out: { id: member.id },
      change: {
        tenantId: ctx.tenant.id,
        action: 'member.leave',
        target: member.id,
        before: { user: member.userId, role: member.role },
      },
    }
  })
}
