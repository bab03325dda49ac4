import type { MemberCtx } from '../access.ts'

/** Members without a second factor: their number, and the first of them. */
export type Unprotected = { count: number; first: { id: string; email: string }[] }

const FIRST = 20

/** The members who would be locked out if the tenant required a second factor, in the order in which they joined. */
export async function findUnprotected({ prisma, tenant }: Pick<MemberCtx, 'prisma' | 'tenant'>): Promise<Unprotected> {
  const where = { tenantId: tenant.id, user: { twoFactorEnabled: false } }
  const [count, first] = await Promise.all([
    prisma.member.count({ where }),
    prisma.member.findMany({
      where,
      select: { id: true, user: { select: { email: true } } },
      orderBy: { id: 'asc' },
      take: FIRST,
    }),
  ])
  return { count, first: first.map(({ id, user }) => ({ id, email: user.email })) }
}
