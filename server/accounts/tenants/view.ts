import { seconds } from '../../kit/clock.ts'
import type { Writing } from '../../kit/transact.ts'
import type { MemberCtx, UserCtx } from '../access.ts'
import type { Role } from '../permissions.ts'

export type TenantView = {
  id: string
  slug: string
  name: string
  require2fa: boolean
  suspended: boolean
  /** Of the one who asks. */
  role: Role
  /** Unix seconds. */
  createdAt: number
}

/** The tenants that the person is a member of, in the order in which they joined. */
export async function listTenants({ prisma, user }: UserCtx): Promise<TenantView[]> {
  const rows = await prisma.member.findMany({
    where: { userId: user.id, tenant: { deletedAt: null } },
    include: { tenant: true },
    orderBy: { id: 'asc' },
    take: 200,
  })
  return rows.map(({ tenant, role }) => toView(tenant, role))
}

/** The tenant that the member is in. */
export async function viewTenant({
  prisma,
  tenant,
  role,
}: Writing & Pick<MemberCtx, 'tenant' | 'role'>): Promise<TenantView> {
  return toView(await prisma.tenant.findUniqueOrThrow({ where: { id: tenant.id } }), role)
}

type Row = { id: string; slug: string; name: string; require2fa: boolean; suspendedAt: Date | null; createdAt: Date }

function toView({ id, slug, name, require2fa, suspendedAt, createdAt }: Row, role: Role): TenantView {
  return {
    id,
    slug,
    name,
    require2fa,
    suspended: suspendedAt !== null,
    role,
    createdAt: seconds(createdAt.getTime()),
  }
}
