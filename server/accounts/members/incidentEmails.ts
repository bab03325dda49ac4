import { AppError } from '../../kit/error.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'

/** Whether the caller gets e-mails about the tenant's incidents. Staff who view the tenant get none. */
export async function getsIncidentEmails({ prisma, tenant, user }: MemberCtx): Promise<boolean> {
  const member = await prisma.member.findUnique({
    where: { tenantId_userId: { tenantId: tenant.id, userId: user.id } },
    select: { incidentEmails: true },
  })
  return member?.incidentEmails ?? false
}

/** Turns the caller's own e-mails about incidents on or off. Throws AppError. */
export async function setIncidentEmails(ctx: MemberCtx, on: boolean): Promise<boolean> {
  return change(ctx, async (ctx) => {
    // rows are counted: the membership may have ended since the request arrived
    const where = { tenantId: ctx.tenant.id, userId: ctx.user.id }
    const { count } = await ctx.prisma.member.updateMany({
      where: { ...where, incidentEmails: !on },
      data: { incidentEmails: on },
    })
    const member = await ctx.prisma.member.findUnique({ where: { tenantId_userId: where }, select: { id: true } })
    if (!member) throw new AppError('no-longer-member')
    if (count === 0) return { out: on, change: null }
    return {
      out: on,
      change: {
        tenantId: ctx.tenant.id,
        action: 'member.set_incident_emails',
        target: member.id,
        before: { emails: !on },
        after: { emails: on },
      },
    }
  })
}
