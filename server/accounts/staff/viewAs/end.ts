import { type Db } from '../../../kit/db/transact.ts'
import { AppError } from '../../../kit/error.ts'
import type { StaffCtx } from '../../access.ts'
import { change } from '../../change.ts'
import { findTenant } from '../../find.ts'

/** Ends the person's active views of the tenant; returns how many. */
export const endViews = ({ prisma, user }: Db & Pick<StaffCtx, 'user'>, tenantId: string): Promise<number> =>
  prisma.$executeRaw`
    update view_as set ended_at = now()
    where user_id = ${user.id}::uuid and tenant_id = ${tenantId}::uuid and ended_at is null and ends_at > now()`

/** Ends the person's own view of the tenant early. Throws AppError if none is active. */
export async function endViewAs(ctx: StaffCtx, input: { tenant: string }): Promise<{ id: string }> {
  const tenant = await findTenant(ctx, input.tenant)
  return change(ctx, async (ctx) => {
    const ended = await endViews(ctx, tenant.id)
    if (ended === 0) throw new AppError('not-viewing', { name: tenant.name })
    return {
      out: { id: tenant.id },
      change: { tenantId: tenant.id, action: 'view_as.end', target: tenant.id },
    }
  })
}
