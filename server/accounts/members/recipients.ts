import type { Prisma } from '../../../prisma/client/client.ts'
import type { Role } from '../../contract/permissions.ts'
import type { Db } from '../../kit/db/transact.ts'
import { isLockedOut } from '../access.ts'

/**
 * The addresses of the members with one of the roles, for e-mails about the tenant. Members whom the tenant locks out until
 * they have a second factor get none. `also`: a further condition.
 */
export async function recipientsOf(
  { prisma }: Db,
  tenantId: string,
  roles: readonly Role[],
  also: Prisma.MemberWhereInput = {},
): Promise<string[]> {
  const members = await prisma.member.findMany({
    where: { ...also, tenantId, role: { in: [...roles] }, user: { emailVerified: true } },
    select: { tenant: { select: { require2fa: true } }, user: { select: { email: true, twoFactorEnabled: true } } },
  })
  return members.filter(({ tenant, user }) => !isLockedOut(tenant, user)).map(({ user }) => user.email)
}
