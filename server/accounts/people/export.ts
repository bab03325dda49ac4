import { AppError } from '../../kit/error.ts'
import { emailsTo } from '../../kit/queue/email.ts'
import type { OperatorCtx, StaffCtx } from '../access.ts'
import { change } from '../change.ts'
import { emailOf } from '../sessions/person.ts'

/** Everything stored about a person, without secrets. Times are dates. Throws AppError if there is nothing. */
export async function exportPerson(ctx: OperatorCtx | StaffCtx, input: { email: string }) {
  const { prisma } = ctx
  const email = emailOf(input.email)
  const invitations = await prisma.invitation.findMany({
    where: { email },
    select: { role: true, createdAt: true, acceptedAt: true, tenant: { select: { slug: true } } },
  })
  const user = await prisma.user.findUnique({
    where: { email },
    select: {
      id: true,
      name: true,
      email: true,
      emailVerified: true,
      staffLevel: true,
      twoFactorEnabled: true,
      createdAt: true,
      sessions: { select: { userAgent: true, createdAt: true, expiresAt: true } },
      passkeys: { select: { name: true, createdAt: true } },
      accounts: {
        where: { providerId: { not: 'credential' } },
        select: { providerId: true, accountId: true, createdAt: true },
      },
      members: { select: { role: true, createdAt: true, tenant: { select: { slug: true } } } },
      events: { select: { id: true, network: true, userAgent: true } },
      notes: { select: { subject: true, text: true, createdAt: true } },
      viewsAs: { select: { tenantId: true, reason: true, startedAt: true, endedAt: true } },
    },
  })
  if (!user && invitations.length === 0) throw new AppError('person-not-found', { email })
  const changes = user
    ? await prisma.auditEvent.findMany({
        where: { actorId: user.id, actorType: { in: ['user', 'staff'] } },
        select: { id: true, action: true, target: true, before: true, after: true, createdAt: true },
        orderBy: { createdAt: 'asc' },
      })
    : []
  const emails = await emailsTo(ctx, email)
  const target = user?.id ?? 'no account'
  return change(ctx, async () => ({
    out: { email, account: user, invitations, emails, changes },
    change: { tenantId: null, action: 'person.export', target },
  }))
}
