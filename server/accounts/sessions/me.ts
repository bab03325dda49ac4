import type { StaffLevel } from '../../contract/permissions.ts'
import { seconds } from '../../kit/db/clock.ts'
import type { UserCtx } from '../access.ts'
import { listTenants, type TenantView } from '../tenants/view.ts'
import type { Person } from './current.ts'
import { FRESH_SECONDS } from './settings.ts'

export type Me = {
  user: Person
  tenants: TenantView[]
  staff: StaffLevel | null
  /** Unix seconds until which the session is fresh, so that no further sign-in is needed. */
  freshUntil: number
}

/** The signed-in person and their tenants. */
export async function me(ctx: UserCtx): Promise<Me> {
  const [tenants, row] = await Promise.all([
    listTenants(ctx),
    ctx.prisma.user.findUniqueOrThrow({ where: { id: ctx.user.id }, select: { staffLevel: true } }),
  ])
  return {
    user: ctx.user,
    tenants,
    staff: row.staffLevel,
    freshUntil: seconds(ctx.session.createdAt.getTime()) + FRESH_SECONDS,
  }
}
