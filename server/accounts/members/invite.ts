import { type Role, reaches } from '../../contract/permissions.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { seconds } from '../../kit/db/clock.ts'
import { AppError } from '../../kit/error.ts'
import type { Rule } from '../../kit/limits/limiter.ts'
import { enqueueEmails } from '../../kit/queue/email.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { invitationEmail } from '../sessions/emails.ts'
import { emailOf } from '../sessions/person.ts'
import type { InvitationRow } from './list.ts'

/** How long an invitation can be accepted. */
const INVITATION_MS = 72 * 3_600_000

/** Limited, because invitations send e-mail to any address. */
const INVITATIONS: Rule = { name: 'invite', points: 20, duration: 600 }

/**
 * Sends an invitation to an e-mail address. A role above the inviter's own is refused. An earlier invitation to the
 * same address is revoked; `replaced`: it could still be accepted. Throws AppError.
 */
export async function invite(
  ctx: MemberCtx,
  input: { email: string; role: Role },
): Promise<InvitationRow & { replaced: boolean }> {
  if (!ctx.mail.ready) throw new AppError('email-off')
  if (!reaches(ctx.role, input.role)) throw new AppError('invitation-forbidden', { role: ctx.role, other: input.role })
  const email = emailOf(input.email)
  const wait = await ctx.limiter.take(INVITATIONS, ctx.tenant.id)
  if (wait > 0) throw new AppError('too-many-invitations', { wait })
  const { row, replaced } = await change(ctx, async (ctx) => {
    // one at a time to each address, so that one of them stays open
    await ctx.prisma.$executeRaw`select pg_advisory_xact_lock(hashtext(${ctx.tenant.id}), hashtext(${email}))`
    const member = await ctx.prisma.member.findFirst({ where: { tenantId: ctx.tenant.id, user: { email } } })
    if (member) throw new AppError('member-exists', { email, field: 'email' })
    const now = new Date(ctx.clock.now())
    const open = { tenantId: ctx.tenant.id, email, acceptedAt: null, revokedAt: null }
    const { count } = await ctx.prisma.invitation.updateMany({
      where: { ...open, expiresAt: { gt: now } },
      data: { revokedAt: now },
    })
    // expired ones are listed, so that they can be sent again
    await ctx.prisma.invitation.updateMany({ where: open, data: { revokedAt: now } })
    const invitation = await ctx.prisma.invitation.create({
      data: {
        id: newId(),
        tenantId: ctx.tenant.id,
        email,
        role: input.role,
        inviterId: ctx.user.id,
        expiresAt: new Date(ctx.clock.now() + INVITATION_MS),
      },
    })
    const { publicUrl } = ctx.config
    const named = { email, role: input.role, tenant: ctx.tenant.name, inviter: ctx.user.name }
    await enqueueEmails(ctx, [
      {
        ...invitationEmail(publicUrl, { id: invitation.id, ...named }),
        tenant: ctx.tenant.id,
        until: seconds(invitation.expiresAt.getTime()),
      },
    ])
    return {
      out: { row: invitation, replaced: count > 0 },
      change: {
        tenantId: ctx.tenant.id,
        action: 'member.invite',
        target: invitation.id,
        after: { email, role: input.role },
      },
    }
  })
  const { id, role, createdAt, expiresAt } = row
  return {
    id,
    email,
    role,
    inviter: ctx.user.name,
    createdAt: seconds(createdAt.getTime()),
    expiresAt: seconds(expiresAt.getTime()),
    replaced,
  }
}

/** Revokes an open invitation. Throws AppError. */
export async function revokeInvitation(ctx: MemberCtx, input: { id: string }): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    const { count } = await ctx.prisma.invitation.updateMany({
      where: { id: input.id, tenantId: ctx.tenant.id, acceptedAt: null, revokedAt: null },
      data: { revokedAt: new Date(ctx.clock.now()) },
    })
    if (count === 0) throw new AppError('invitation-not-open')
    return {
      out: { id: input.id },
      change: { tenantId: ctx.tenant.id, action: 'member.revoke_invitation', target: input.id },
    }
  })
}
