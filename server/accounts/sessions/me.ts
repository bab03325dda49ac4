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
  /** Whether the account has a password that the deployment accepts. */
  hasPassword: boolean
  /** Unix seconds until which the session is fresh, so that no further sign-in is needed. */
  freshUntil: number
}

/** The signed-in person and their tenants. */
export async function me(ctx: UserCtx): Promise<Me> {
  const [tenants, row, passwords] = await Promise.all([
    listTenants(ctx),
    ctx.prisma.user.findUniqueOrThrow({ where: { id: ctx.user.id }, select: { staffLevel: true } }),
    ctx.prisma.account.count({ where: { userId: ctx.user.id, providerId: 'credential' } }),
  ])
  return {
    user: ctx.user,
    tenants,
    staff: row.staffLevel,
    hasPassword: ctx.config.passwords && passwords > 0,
    freshUntil: seconds(ctx.session.createdAt.getTime()) + FRESH_SECONDS,
  }
}
