import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import type { MemberCtx } from '../access.ts'
import { changeRole } from './changeRole.ts'
import { removeMember } from './remove.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('a member who was demoted after the request was admitted changes no members', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const [demoted, other] = [await makeMember(app, tenant, 'viewer'), await makeMember(app, tenant, 'viewer')]
  // the context as it was before the demotion
  const ctx = {
    ...app.ctx,
    user: { id: demoted.userId },
    tenant,
    role: 'admin',
    actor: { type: 'user', id: demoted.userId },
  } as unknown as MemberCtx
  await expect(changeRole(ctx, { member: other.memberId, role: 'admin' })).rejects.toMatchObject({
    code: 'role-required',
  })
  await expect(removeMember(ctx, { member: other.memberId })).rejects.toMatchObject({ code: 'role-required' })
})
