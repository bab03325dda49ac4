import { admitOperator } from '../../server/accounts/access.ts'
import { createTenant } from '../../server/accounts/tenants/create.ts'
import { ROLES, type Role } from '../../server/contract/permissions.ts'
import { newId } from '../../server/kit/crypto/ids.ts'
import type { TestApp } from './app.ts'
import { makePerson, type SignedIn } from './browser.ts'

export type MadeTenant = { id: string; slug: string }

/** Creates a tenant without sites and members. */
export const makeTenant = (app: Pick<TestApp, 'ctx'>): Promise<MadeTenant> =>
  createTenant(admitOperator(app.ctx, 'test'), { name: 'Test', quota: 1000 })

/** A member with a role in a tenant. */
export type MadeMember = SignedIn & { memberId: string }

/** Creates a member with the role, signed in. */
export async function makeMember(app: TestApp, tenant: Pick<MadeTenant, 'id'>, role: Role): Promise<MadeMember> {
  const person = await makePerson(app)
  const memberId = newId()
  await app.ctx.prisma.member.create({ data: { id: memberId, tenantId: tenant.id, userId: person.userId, role } })
  return { ...person, memberId }
}

/** Creates a tenant without sites, and its owner, signed in. */
export async function makeOwnedTenant(app: TestApp): Promise<{ tenant: MadeTenant; owner: MadeMember }> {
  const tenant = await makeTenant(app)
  return { tenant, owner: await makeMember(app, tenant, 'owner') }
}

/** Creates a member of each role, signed in. */
export async function makeStaffing(app: TestApp, tenant: MadeTenant): Promise<Record<Role, MadeMember>> {
  const people = await Promise.all(ROLES.map(async (role) => [role, await makeMember(app, tenant, role)] as const))
  return Object.fromEntries(people) as Record<Role, MadeMember>
}
