import { admitOperator } from '../accounts/access.ts'
import { ROLES, type Role } from '../accounts/permissions.ts'
import { createTenant } from '../accounts/tenants/create.ts'
import type { TestApp } from './app.ts'
import { makePerson, type SignedIn } from './browser.ts'

export type MadeTenant = { id: string; slug: string }

/** A tenant without sites and people. */
export const makeTenant = (app: Pick<TestApp, 'ctx'>): Promise<MadeTenant> =>
  createTenant(admitOperator(app.ctx, 'test'), { name: 'Test', quota: 1000 })

/** Somebody of each role in the tenant, signed in. */
export async function makeStaffing(app: TestApp, tenant: MadeTenant): Promise<Record<Role, SignedIn>> {
  const people = await Promise.all(
    ROLES.map(async (role) => [role, await makePerson(app, { member: { tenantId: tenant.id, role } })] as const),
  )
  return Object.fromEntries(people) as Record<Role, SignedIn>
}
