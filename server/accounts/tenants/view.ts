import type { Tenant } from '../../../prisma/client/client.ts'
import type { Role } from '../../contract/permissions.ts'
import { seconds } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import { locksOut, type MemberCtx, type UserCtx } from '../access.ts'
import { activeViews, type ShownTenant } from '../staff/viewAs/active.ts'

export type TenantView = ShownTenant & {
  /** The caller's role. */
  role: Role
  /** When the view of a member of staff ends, in Unix seconds; null for members. */
  viewEndsAt: number | null
}

/**
 * The tenants that the person is a member of, in the order in which they joined; then those that they view as staff. Also
 * those that lock them out until they have a second factor, without what happens there.
 */
export async function listTenants({ prisma, user, session }: UserCtx): Promise<TenantView[]> {
  const [rows, views] = await Promise.all([
    prisma.member.findMany({
      where: { userId: user.id, tenant: { deletedAt: null } },
      include: { tenant: true },
      orderBy: { id: 'asc' },
      take: 200,
    }),
    activeViews({ prisma }, user.id),
  ])
  const viewed = views.filter(({ tenant }) => !rows.some(({ tenantId }) => tenantId === tenant.id))
  return [
    ...rows.map(({ tenant, role }) => ({
      ...toView(tenant, role),
      ...(locksOut(tenant, { user, session }) && { suspended: null }),
    })),
    ...viewed.map(({ tenant, endsAt }) => ({ ...tenant, role: 'admin' as const, viewEndsAt: endsAt })),
  ]
}

/** The tenant that the member is in. */
export async function viewTenant({
  prisma,
  user,
  tenant,
  role,
  readOnly,
}: Db & Pick<MemberCtx, 'user' | 'tenant' | 'role' | 'readOnly'>): Promise<TenantView> {
  const [row, views] = await Promise.all([
    prisma.tenant.findUniqueOrThrow({ where: { id: tenant.id } }),
    readOnly ? activeViews({ prisma }, user.id, tenant.slug) : [],
  ])
  return { ...toView(row, role), viewEndsAt: views[0]?.endsAt ?? null }
}

type Row = Pick<Tenant, 'id' | 'slug' | 'name' | 'require2fa' | 'suspendedAt' | 'suspendedFor' | 'demo' | 'createdAt'>

function toView(
  { id, slug, name, require2fa, suspendedAt, suspendedFor, demo, createdAt }: Row,
  role: Role,
): TenantView {
  return {
    id,
    slug,
    name,
    require2fa,
    suspended: suspendedAt === null ? null : { reason: suspendedFor ?? '' },
    demo,
    role,
    viewEndsAt: null,
    createdAt: seconds(createdAt.getTime()),
  }
}
