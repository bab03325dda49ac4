import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { AccountError } from '../error.ts'
import { reaches } from '../permissions.ts'
import { findMember, keepOwner, lockMemberships } from './lock.ts'

/** Ends somebody's membership, at once. Nobody removes above their own role, nor the last owner. Throws AccountError. */
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

/** Ends one's own membership; the last owner has to stay. Throws AccountError. */
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
