import { reaches } from '../../contract/permissions.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { AccountError } from '../error.ts'
import { findMember, keepOwner, lockMemberships } from './lock.ts'

/** Removes a member immediately. Members with a higher role and the last owner cannot be removed. Throws AccountError. */
export async function removeMember(ctx: MemberCtx, input: { member: string }): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    await lockMemberships(ctx)
    const member = await findMember(ctx, input.member)
    if (!reaches(ctx.role, member.role))
      throw new AccountError('forbidden', `As ${ctx.role} you cannot remove a member with the role ${member.role}.`)
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

/** Ends the caller's own membership. The last owner cannot leave. Throws AccountError. */
export async function leaveTenant(ctx: MemberCtx): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    await lockMemberships(ctx)
    const member = await ctx.prisma.member.findUnique({
      where: { tenantId_userId: { tenantId: ctx.tenant.id, userId: ctx.user.id } },
    })
    if (!member) throw new AccountError('not-found', 'You are no longer a member.')
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
