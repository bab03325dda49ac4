import type { Prisma } from '../../../prisma/client/client.ts'
import type { Role } from '../../contract/permissions.ts'
import type { Db } from '../../kit/db/transact.ts'
import { isLockedOut } from '../access.ts'

export type Recipient = { tenantId: string; email: string }

/**
 * The members of the tenants with one of the roles, for e-mails about their tenants. Members whom the tenant locks out until
 * they have a second factor get none. `also`: a further condition.
 */
export async function recipientsOf(
  { prisma }: Db,
  tenantIds: readonly string[],
  roles: readonly Role[],
  also: Prisma.MemberWhereInput = {},
): Promise<Recipient[]> {
  const members = await prisma.member.findMany({
    where: { ...also, tenantId: { in: [...tenantIds] }, role: { in: [...roles] }, user: { emailVerified: true } },
    select: {
      tenantId: true,
      tenant: { select: { require2fa: true } },
      user: { select: { email: true, twoFactorEnabled: true } },
    },
  })
  return members
    .filter(({ tenant, user }) => !isLockedOut(tenant, user))
    .map(({ tenantId, user }) => ({ tenantId, email: user.email }))
}
