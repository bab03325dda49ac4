import { newId } from '../../../kit/crypto/ids.ts'
import type { StaffCtx } from '../../access.ts'
import { change } from '../../change.ts'

/** `requested`: the id of the request that waits for another lead. */
export type Requested = { requested: string }

type Units = { kind: 'quota' | 'balance'; units: number; reason: string }

/**
 * Asks for a change of units that needs a second lead. The tenant does not see the request, because it may be rejected, so
 * its audit row has no tenant.
 */
export function askForUnits(ctx: StaffCtx, tenant: { id: string }, { kind, units, reason }: Units): Promise<Requested> {
  return change(ctx, async (ctx) => {
    const requested = newId()
    await ctx.prisma.unitRequest.create({
      data: { id: requested, tenantId: tenant.id, kind, units, reason, askedBy: ctx.user.id },
    })
    return {
      out: { requested },
      change: {
        tenantId: null,
        action: 'units.ask',
        target: tenant.id,
        after: { kind, units, reason, request: requested },
      },
    }
  })
}
