import type { Prisma } from '../../../prisma/client/client.ts'
import { type Role, reaches } from '../../contract/permissions.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { type Clock, seconds } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import type { UserCtx } from '../access.ts'
import { change } from '../change.ts'
import { openFor } from './open.ts'

export type Offer = {
  id: string
  tenant: { name: string }
  role: Role
  inviter: string
  /** The address that it was sent to, which alone can accept it. */
  email: string
  /** Unix seconds. */
  expiresAt: number
  state: 'open' | 'accepted' | 'revoked' | 'expired'
}

type Clocked = { clock: Clock }

const SHOWN = { tenant: { select: { name: true } }, inviter: { select: { name: true } } } as const

/**
 * The invitation, for whoever has its link, also before they sign up: its id has 74 random bits and is e-mailed to the
 * address only. Accepting it takes an account of that address. Throws AppError.
 */
export async function viewInvitation(
  ctx: Clocked & { prisma: Pick<Db['prisma'], 'invitation'> },
  input: { id: string },
): Promise<Offer> {
  const row = await ctx.prisma.invitation.findFirst({
    where: { id: input.id, tenant: { deletedAt: null } },
    include: SHOWN,
  })
  if (!row) throw noInvitation()
  return toOffer(row, ctx.clock)
}

/** The open invitations to the person's address, newest first. */
export async function listOwnInvitations(ctx: UserCtx): Promise<Offer[]> {
  const rows = await ctx.prisma.invitation.findMany({
    where: openFor(ctx, ctx.user.email),
    include: SHOWN,
    orderBy: { createdAt: 'desc' },
    take: 20,
  })
  return rows.map((row) => toOffer(row, ctx.clock))
}

type Row = Prisma.InvitationGetPayload<{ include: typeof SHOWN }>

function stateOf({ acceptedAt, revokedAt, expiresAt }: Row, clock: Clock): Offer['state'] {
  if (acceptedAt) return 'accepted'
  // a newer one also revokes one that has expired
  if (revokedAt && revokedAt < expiresAt) return 'revoked'
  return revokedAt || expiresAt.getTime() <= clock.now() ? 'expired' : 'open'
}

function toOffer(row: Row, clock: Clock): Offer {
  const { id, tenant, role, inviter, email, expiresAt } = row
  return {
    id,
    tenant,
    role,
    inviter: inviter.name,
    email,
    expiresAt: seconds(expiresAt.getTime()),
    state: stateOf(row, clock),
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
