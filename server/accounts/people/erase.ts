import { deleteEmailsTo } from '../../kit/queue/email.ts'
import { eraseFromAudit } from '../../ledger/audit/eraseAddresses.ts'
import type { OperatorCtx, StaffCtx } from '../access.ts'
import { change } from '../change.ts'
import { keepOwner, lockMemberships } from '../members/lock.ts'
import { emailOf } from '../sessions/person.ts'

/** `events`: audit events in which the address was replaced. */
export type ErasedPerson = { account: boolean; invitations: number; events: number }

/**
 * Deletes everything about a person: account, sessions, passkeys, second factor, memberships, invitations and
 * e-mails that wait in the queue.
 * The audit keeps its events, with digests instead of the address. What a member of staff wrote or viewed is kept under an
 * account without name and address. Throws AppError where a tenant would lose its only owner.
 */
export async function erasePerson(ctx: OperatorCtx | StaffCtx, input: { email: string }): Promise<ErasedPerson> {
  const email = emailOf(input.email)
  return change(ctx, async (ctx) => {
    const { prisma } = ctx
    const user = await prisma.user.findUnique({
      where: { email },
      select: { id: true, name: true, members: true, _count: { select: { notes: true, viewsAs: true } } },
    })
    for (const { id, tenantId, role } of user?.members ?? []) {
      const tenant = { id: tenantId }
      await lockMemberships({ prisma, tenant })
      await keepOwner({ prisma, tenant }, { id, role })
    }
    const { count: invitations } = await prisma.invitation.deleteMany({ where: { email } })
    await deleteEmailsTo(ctx, email)
    if (user) {
      const { id, _count } = user
      const where = { userId: id }
      await prisma.verification.deleteMany({ where: { value: { contains: id } } })
      if (_count.notes + _count.viewsAs === 0) await prisma.user.delete({ where: { id } })
      else {
        await prisma.session.deleteMany({ where })
        await prisma.account.deleteMany({ where })
        await prisma.passkey.deleteMany({ where })
        await prisma.twoFactor.deleteMany({ where })
        await prisma.member.deleteMany({ where })
        await prisma.accountEvent.deleteMany({ where })
        await prisma.invitation.deleteMany({ where: { inviterId: id } })
        await prisma.user.update({
          where: { id },
          data: { name: 'Former staff', email: `${id}@erased.invalid`, staffLevel: null, twoFactorEnabled: false },
        })
      }
    }
    const events = await eraseFromAudit(ctx, { email, name: user?.name ?? '' })
    return {
      out: { account: user !== null, invitations, events },
      change: {
        tenantId: null,
        action: 'person.erase',
        target: user?.id ?? 'no account',
        after: { invitations, events },
      },
    }
  })
}
