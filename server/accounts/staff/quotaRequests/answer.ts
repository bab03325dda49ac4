import type { QuotaRequest } from '../../../../prisma/client/client.ts'
import { type Db, transact } from '../../../kit/db/transact.ts'
import { AppError } from '../../../kit/error.ts'
import { enqueueEmails } from '../../../kit/queue/email.ts'
import type { StaffCtx } from '../../access.ts'
import { change } from '../../change.ts'
import { composeEmail, quotable, quoted } from '../../email.ts'
import { findTenant } from '../../find.ts'
import { recipientsOf } from '../../members/recipients.ts'
import { type Adjusted, adjustQuota } from '../adjustQuota.ts'
import { reasonOf } from '../reason.ts'
import type { Requested } from '../requests/ask.ts'

/**
 * Approves a tenant's request: sets the quota, to `units` a month, as `adjustQuota` does. Many units wait for a second lead, and
 * the tenant's request with them. `answer`: for the tenant. Of several answers at once, one counts. Throws AppError.
 */
export async function approveQuotaRequest(
  ctx: StaffCtx,
  { id, units, answer }: { id: string; units: number; answer: string },
): Promise<Adjusted | Requested> {
  const reason = reasonOf(answer)
  return transact(ctx, async (ctx) => {
    const request = await claim(ctx, id, { state: 'approved', granted: units, answer: reason })
    const result = await adjustQuota(ctx, { tenant: request.tenantId, units, reason })
    if (!('requested' in result)) await announce(ctx, request)
    else
      await ctx.prisma.quotaRequest.update({
        where: { id },
        data: { state: 'waiting', answeredBy: null, answeredAt: null, secondLead: result.requested },
      })
    return result
  })
}

/** Declines a tenant's request. `answer`: why, for the tenant. Throws AppError. */
export async function declineQuotaRequest(
  ctx: StaffCtx,
  { id, answer }: { id: string; answer: string },
): Promise<{ id: string }> {
  const reason = reasonOf(answer)
  return transact(ctx, async (ctx) => {
    await announce(ctx, await claim(ctx, id, { state: 'declined', answer: reason }))
    return { id }
  })
}

/** Answers the tenant's request whose approval waited for the decision about the change with this id, if there is one. */
export async function settleQuotaRequest(ctx: StaffCtx, secondLead: string, approved: boolean): Promise<void> {
  const [request] = await ctx.prisma.quotaRequest.updateManyAndReturn({
    where: { secondLead },
    data: approved ? { state: 'approved', ...answeredBy(ctx) } : { secondLead: null, granted: null, answer: null },
  })
  if (request && approved) await announce(ctx, request)
}

const answeredBy = ({ user, clock }: Pick<StaffCtx, 'user' | 'clock'>) => ({
  answeredBy: user.id,
  answeredAt: new Date(clock.now()),
})

type Answer = { state: 'approved' | 'declined'; granted?: number; answer: string }

async function claim(ctx: StaffCtx, id: string, answer: Answer): Promise<QuotaRequest> {
  const [request] = await ctx.prisma.quotaRequest.updateManyAndReturn({
    where: { id, state: 'waiting', secondLead: null },
    data: { ...answer, ...answeredBy(ctx) },
  })
  if (!request) throw await refusal(ctx, id)
  return request
}

async function refusal({ prisma }: Db, id: string): Promise<AppError> {
  const request = await prisma.quotaRequest.findUnique({ where: { id } })
  if (!request) return new AppError('request-not-found')
  return new AppError(request.state === 'waiting' ? 'request-needs-lead' : 'request-decided')
}

/** Records the answer in the tenant's audit, and e-mails it to those who may ask for units. */
async function announce(ctx: StaffCtx, request: QuotaRequest): Promise<void> {
  const { tenantId, units, granted, state, answer } = request
  await change(ctx, async (ctx) => {
    const { name, slug } = await findTenant(ctx, tenantId)
    const many = Number(granted ?? units).toLocaleString('en')
    const url = `${ctx.config.publicUrl}/o/${slug}/usage`
    const emails = (await recipientsOf(ctx, [tenantId], ['owner', 'admin', 'billing'])).map(({ email: to }) =>
      composeEmail({
        to,
        subject: state === 'approved' ? 'More units were approved' : 'The request for more units was declined',
        paragraphs: [
          state === 'approved'
            ? `${quotable(name, slug)} has ${many} units a month from now on.`
            : `The request of ${quotable(name, slug)} for ${many} units a month was declined.`,
          `The answer: ${quoted(answer ?? '')}`,
        ],
        link: { label: 'See your usage', url },
        ending: `You get this e-mail because you manage the quota of ${quotable(name, slug)}.`,
      }),
    )
    await enqueueEmails(
      ctx,
      emails.map((email) => ({ ...email, tenant: tenantId })),
    )
    return {
      out: undefined,
      change: {
        tenantId,
        action: state === 'approved' ? 'tenant.approve_units' : 'tenant.decline_units',
        target: tenantId,
        before: { units: Number(units) },
        after: { ...(granted !== null && { units: Number(granted) }), answer },
      },
    }
  })
}
