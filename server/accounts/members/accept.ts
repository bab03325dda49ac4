import { type Role, reaches } from '../../contract/permissions.ts'
import { seconds } from '../../kit/clock.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/ids.ts'
import type { Db } from '../../kit/transact.ts'
import type { UserCtx } from '../access.ts'
import { change } from '../change.ts'

export type Offer = {
  id: string
  tenant: { slug: string; name: string }
  role: Role
  inviter: string
  /** Unix seconds. */
  expiresAt: number
  state: 'open' | 'accepted' | 'ended'
}

/** The invitation, for the invited person. Everyone else gets `not-found`. Throws AppError. */
export async function viewInvitation(ctx: UserCtx, input: { id: string }): Promise<Offer> {
  const row = await ctx.prisma.invitation.findFirst({
    where: { id: input.id, email: ctx.user.email, tenant: { deletedAt: null } },
    include: { tenant: { select: { slug: true, name: true } }, inviter: { select: { name: true } } },
  })
  if (!row) throw noInvitation()
  const { id, tenant, role, inviter, expiresAt } = row
  const over = row.revokedAt !== null || expiresAt.getTime() <= ctx.clock.now()
  return {
    id,
    tenant,
    role,
    inviter: inviter.name,
    expiresAt: seconds(expiresAt.getTime()),
    state: row.acceptedAt ? 'accepted' : over ? 'ended' : 'open',
  }
}

/**
 * Makes the person a member. An invitation works once, until it expires, for the address it was sent to, and as long as its
 * inviter is still allowed to give that role. Throws AppError.
 */
export async function acceptInvitation(ctx: UserCtx, input: { id: string }): Promise<{ slug: string; role: Role }> {
  return change(ctx, async (ctx) => {
    // this statement uses it up: of ten concurrent requests, one updates a row
    const [taken] = await ctx.prisma.$queryRaw<{ tenant_id: string; inviter_id: string; role: Role }[]>`
      update invitation set accepted_at = now()
      where id = ${input.id}::uuid and email = ${ctx.user.email} and accepted_at is null and revoked_at is null and expires_at > now()
      returning tenant_id, inviter_id, role::text as role`
    if (!taken) throw (await isTheirs(ctx, input.id)) ? ended() : noInvitation()
    const { tenant_id: tenantId, inviter_id: inviterId, role } = taken
    const tenant = await ctx.prisma.tenant.findUnique({ where: { id: tenantId, deletedAt: null } })
    if (!tenant) throw noInvitation()
    const inviter = await ctx.prisma.member.findUnique({ where: { tenantId_userId: { tenantId, userId: inviterId } } })
    if (!inviter || !reaches(inviter.role, role)) throw ended()
    const id = newId()
    const { count } = await ctx.prisma.member.createMany({
      data: [{ id, tenantId, userId: ctx.user.id, role }],
      skipDuplicates: true,
    })
    if (count === 0) throw new AppError('already-member', { name: tenant.name })
    return {
      out: { slug: tenant.slug, role },
      change: {
        tenantId,
        action: 'member.join',
        target: id,
        after: { email: ctx.user.email, role, invitation: input.id },
      },
    }
  })
}

async function isTheirs(ctx: Db & Pick<UserCtx, 'user'>, id: string): Promise<boolean> {
  return (await ctx.prisma.invitation.count({ where: { id, email: ctx.user.email } })) > 0
}

const noInvitation = () => new AppError('invitation-not-found')

const ended = () => new AppError('invitation-over')
