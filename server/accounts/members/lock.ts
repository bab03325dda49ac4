import type { Prisma } from '../../../prisma/client/client.ts'
import { may, type Role } from '../../contract/permissions.ts'
import { AppError } from '../../kit/error.ts'

type Locking = { prisma: Prisma.TransactionClient; tenant: { readonly id: string } }

/**
 * Serialises changes of a tenant's memberships until the transaction ends: if two owners leave at the same time, the second
 * one sees that the first is gone. `no key`, so that inserts that only reference the tenant do not wait.
 */
export async function lockMemberships(ctx: Locking): Promise<void> {
  await ctx.prisma.$queryRaw`select 1 from tenant where id = ${ctx.tenant.id}::uuid for no key update`
}

/**
 * Locks, and returns the caller's role as it is now: it may have changed since the request was admitted. Throws AppError
 * if it may no longer change members.
 */
export async function lockAsWriter(ctx: Locking & { user: { readonly id: string } }): Promise<Role> {
  await lockMemberships(ctx)
  const member = await ctx.prisma.member.findUnique({
    where: { tenantId_userId: { tenantId: ctx.tenant.id, userId: ctx.user.id } },
  })
  if (!member) throw new AppError('no-longer-member')
  if (!may(member.role, 'member.write'))
    throw new AppError('role-required', { role: member.role, permission: 'member.write' })
  return member.role
}

/** A member of the tenant, by the id of the membership. Throws AppError. */
export async function findMember(ctx: Locking, id: string): Promise<{ id: string; userId: string; role: Role }> {
  const member = await ctx.prisma.member.findFirst({ where: { id, tenantId: ctx.tenant.id } })
  if (!member) throw new AppError('member-not-found')
  return member
}

/** Throws AppError if the tenant would have no owner. Call `lockMemberships` first. */
export async function keepOwner(ctx: Locking, leaving: { id: string; role: Role }): Promise<void> {
  if (leaving.role !== 'owner') return
  const others = await ctx.prisma.member.count({
    where: { tenantId: ctx.tenant.id, role: 'owner', id: { not: leaving.id } },
  })
  if (others === 0) throw new AppError('last-owner')
}
