import { transact } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import type { UserCtx } from '../access.ts'
import { addMember } from '../members/add.ts'
import { createTenant } from './create.ts'

/** The default number of units per month. */
export const DEFAULT_QUOTA = 1000

/** Limits the free units that a person can get by creating tenants. */
const OWNED_MAX = 10

/** Creates a tenant with the default quota, owned by the caller. Throws AppError. */
export async function createOwnTenant(
  ctx: UserCtx,
  input: { name: string; slug?: string | undefined },
): Promise<{ id: string; slug: string }> {
  return transact(ctx, async (ctx) => {
    await ctx.prisma.$queryRaw`select 1 from "user" where id = ${ctx.user.id}::uuid for no key update`
    const owned = await ctx.prisma.member.count({ where: { userId: ctx.user.id, role: 'owner' } })
    if (owned >= OWNED_MAX) throw new AppError('too-many-tenants', { owned })
    const tenant = await createTenant(ctx, { ...input, quota: DEFAULT_QUOTA })
    await addMember(ctx, { tenantId: tenant.id, person: ctx.user, role: 'owner' })
    return tenant
  })
}
