import { newId } from '../../../kit/crypto/ids.ts'
import { AppError } from '../../../kit/error.ts'
import type { StaffCtx } from '../../access.ts'
import { change } from '../../change.ts'
import { findTenant } from '../../find.ts'
import { reasonOf } from '../reason.ts'
import { endViews } from './end.ts'

const MINUTES = 30

/**
 * Lets a member of staff see the tenant as its admins see it, for 30 minutes, without being able to change
 * anything (access.ts, admin/trpc.ts). The tenant sees the view and its reason in its audit log. An active view
 * ends when a new one begins. Throws AppError.
 */
export async function startViewAs(
  ctx: StaffCtx,
  input: { tenant: string; reason: string },
): Promise<{ id: string; slug: string; endsAt: number }> {
  const reason = reasonOf(input.reason)
  const tenant = await findTenant(ctx, input.tenant)
  const member = await ctx.prisma.member.findFirst({ where: { tenantId: tenant.id, userId: ctx.user.id } })
  if (member) throw new AppError('view-as-member', { name: tenant.name })
  return change(ctx, async (ctx) => {
    // views of a person begin one at a time, so that each ends those before it
    await ctx.prisma.$queryRaw`select 1 from "user" where id = ${ctx.user.id}::uuid for no key update`
    await endViews(ctx, tenant.id)
    const id = newId()
    const [row] = await ctx.prisma.$queryRaw<{ endsAt: number }[]>`
      insert into view_as (id, tenant_id, user_id, reason, ends_at)
      values (${id}::uuid, ${tenant.id}::uuid, ${ctx.user.id}::uuid, ${reason}, now() + make_interval(mins => ${MINUTES}::int))
      returning floor(extract(epoch from ends_at))::float8 as "endsAt"`
    if (!row) throw new Error('the view was not created')
    return {
      out: { id, slug: tenant.slug, endsAt: row.endsAt },
      change: {
        tenantId: tenant.id,
        action: 'view_as.start',
        target: tenant.id,
        after: { reason, ends_at: new Date(row.endsAt * 1000).toISOString(), read_only: true },
      },
    }
  })
}
