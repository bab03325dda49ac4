import { AppError } from '../../kit/error.ts'
import type { Rule } from '../../kit/limits/limiter.ts'
import type { Email } from '../../kit/process/mail.ts'
import { enqueueEmails } from '../../kit/queue/email.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { composeEmail, quotable, quoted } from '../email.ts'

/** Limited, because each request sends an e-mail to every member of staff. */
const REQUESTS: Rule = { name: 'request-units', points: 3, duration: 86_400 }
const MOST_STAFF = 50

/**
 * Asks staff for more units a month: e-mails those who would be admitted to the staff pages, and is in the tenant's audit log, which staff
 * read too. `units`: how many a month; `why`: for staff. Throws AppError.
 */
export async function requestUnits(
  ctx: MemberCtx,
  { units, why }: { units: number; why: string },
): Promise<{ units: number }> {
  if (!ctx.mail.ready) throw new AppError('email-off')
  const wait = await ctx.limiter.take(REQUESTS, ctx.tenant.id)
  if (wait > 0) throw new AppError('too-many-unit-requests', { wait })
  const { id, slug, name } = ctx.tenant
  return change(ctx, async (ctx) => {
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
    await enqueueEmails(
      ctx,
      staff.map(({ email }) => ({
        ...requestEmail(ctx.config.publicUrl, email, { slug, name, units, why }),
        tenant: id,
      })),
    )
    return {
      out: { units },
      change: { tenantId: id, action: 'tenant.request_units', target: id, after: { units, why } },
    }
  })
}

const requestEmail = (
  publicUrl: string,
  to: string,
  { slug, name, units, why }: { slug: string; name: string; units: number; why: string },
): Email =>
  composeEmail({
    to,
    subject: 'A tenant asks for more units',
    paragraphs: [
      `${quotable(name, slug)} asks for ${units.toLocaleString('en')} units a month.`,
      `They wrote: ${quoted(why)}`,
    ],
    link: { label: 'See the tenant', url: `${publicUrl}/staff/tenants/${slug}` },
    ending: 'You get this e-mail because you are staff of this deployment.',
  })
