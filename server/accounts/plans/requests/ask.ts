import { newId } from '../../../kit/crypto/ids.ts'
import { isDuplicate } from '../../../kit/db/outage.ts'
import { AppError } from '../../../kit/error.ts'
import { enqueueEmails } from '../../../kit/queue/email.ts'
import type { MemberCtx } from '../../access.ts'
import { change } from '../../change.ts'
import { composeEmail, quotable, quoted } from '../../email.ts'
import { type QuotaRequestRow, toRow } from './read.ts'

const MOST_STAFF = 50

/**
 * Asks staff for more units a month, and e-mails those who would be admitted to the staff pages. `reason`: for staff. A tenant
 * has at most one request that waits: it is changed, without another e-mail, until a lead decides about it. Throws AppError.
 */
export async function requestUnits(
  ctx: MemberCtx,
  { units, reason }: { units: number; reason: string },
): Promise<QuotaRequestRow> {
  const { id: tenantId } = ctx.tenant
  const data = { units, reason, askedBy: ctx.user.id }
  try {
    return await change(ctx, async (ctx) => {
      const [changed] = await ctx.prisma.quotaRequest.updateManyAndReturn({
        where: { tenantId, state: 'waiting', secondLead: null },
        data,
      })
      const request = changed ?? (await ctx.prisma.quotaRequest.create({ data: { id: newId(), tenantId, ...data } }))
      if (!changed) await emailStaff(ctx, units, reason)
      return {
        out: toRow(request),
        change: { tenantId, action: 'tenant.request_units', target: tenantId, after: { units, reason } },
      }
    })
  } catch (error) {
    if (isDuplicate(error)) throw new AppError('units-requested')
    throw error
  }
}

async function emailStaff(ctx: MemberCtx, units: number, reason: string): Promise<void> {
  const { id: tenant, name, slug } = ctx.tenant
  const staff = await ctx.prisma.user.findMany({
    where: {
      staffLevel: { not: null },
      emailVerified: true,
      ...(ctx.config.staffNeeds2fa && { twoFactorEnabled: true }),
    },
    select: { email: true },
    orderBy: { id: 'asc' },
    take: MOST_STAFF,
  })
  const emails = staff.map(({ email: to }) =>
    composeEmail({
      to,
      subject: 'A tenant asks for more units',
      paragraphs: [
        `${quotable(name, slug)} asks for ${units.toLocaleString('en')} units a month.`,
        `They wrote: ${quoted(reason)}`,
      ],
      link: { label: 'Answer the request', url: `${ctx.config.publicUrl}/staff/approvals` },
      ending: 'You get this e-mail because you are staff of this deployment.',
    }),
  )
  await enqueueEmails(
    ctx,
    emails.map((email) => ({ ...email, tenant })),
  )
}
