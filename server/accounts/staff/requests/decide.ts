import type { UnitRequest } from '../../../../prisma/client/client.ts'
import { AppError } from '../../../kit/error.ts'
import type { StaffCtx } from '../../access.ts'
import { change } from '../../change.ts'
import { findTenant } from '../../find.ts'
import { addBalance } from '../../plans/addBalance.ts'
import { setQuota } from '../../plans/setQuota.ts'
import type { Adjusted } from '../adjustQuota.ts'
import { settleQuotaRequest } from '../quotaRequests/answer.ts'

/** Makes the change that another lead asked for, once. Throws AppError, also for the asker. */
export async function approveUnits(ctx: StaffCtx, { id }: { id: string }): Promise<Adjusted> {
  return decide(ctx, id, true, async (ctx, { tenantId, kind, units, reason }) => {
    // the change has the request's id, so it does not count as given by the approver alone (limit.ts)
    const tenant = await findTenant(ctx, tenantId)
    if (kind === 'quota') {
      const { event, before, included } = await setQuota(ctx, tenant, Number(units), { reason, id })
      return { before, after: included, undo: event }
    }
    const { entry, before, balance } = await addBalance(ctx, tenant, { units: Number(units), reason, id })
    return { before, after: balance, undo: entry }
  })
}

/** Ends a request without the change; the asker may withdraw their own. Throws AppError. */
export async function rejectUnits(ctx: StaffCtx, { id }: { id: string }): Promise<{ id: string }> {
  return decide(ctx, id, false, async () => ({ id }))
}

/** Decides by a conditional update, so that of several decisions one counts. `act` runs in the same transaction. */
function decide<Out>(
  ctx: StaffCtx,
  id: string,
  approved: boolean,
  act: (ctx: StaffCtx, request: UnitRequest) => Promise<Out>,
): Promise<Out> {
  return change(ctx, async (ctx) => {
    const me = ctx.user.id
    const [request] = await ctx.prisma.unitRequest.updateManyAndReturn({
      where: { id, decidedAt: null, ...(approved && { askedBy: { not: me } }) },
      data: { decidedBy: me, decidedAt: new Date(ctx.clock.now()), approved },
    })
    if (!request) throw await refusal(ctx, id)
    await settleQuotaRequest(ctx, id, approved)
    const out = await act(ctx, request)
    return {
      out,
      change: {
        tenantId: null,
        action: approved ? 'units.approve' : 'units.reject',
        target: request.tenantId,
        after: { kind: request.kind, units: Number(request.units), request: id, asked_by: request.askedBy },
      },
    }
  })
}

async function refusal({ prisma }: Pick<StaffCtx, 'prisma'>, id: string): Promise<AppError> {
  const request = await prisma.unitRequest.findUnique({ where: { id } })
  if (!request) return new AppError('request-not-found')
  return new AppError(request.decidedAt === null ? 'request-own' : 'request-decided')
}
