import { expect, test } from 'vitest'
import { makeStaff } from '../../../test/support/staff.ts'
import { makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'

const app = testApp()

test('a request for more units reaches every member of staff and the audit log, three times a day', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const billing = await makeMember(app, tenant, 'billing')
  const staff = await makeStaff(app, 'support')
  const locked = await makeStaff(app, 'support', { twoFactor: false })
  const ask = () =>
    billing.mutate('usage.requestUnits', { tenant: tenant.slug, units: 50_000, why: 'A sale in December' })
  expect((await ask()).status).toBe(200)
  const email = (await app.emails()).find(({ to }) => to === staff.email)
  expect(email?.text).toContain('asks for 50,000 units a month')
  expect(email?.text).toContain('They wrote: “A sale in December”')
  expect(email?.text).toContain(`/staff/tenants/${tenant.slug}`)
  // the staff pages would refuse this one, too
  expect((await app.emails()).map(({ to }) => to)).not.toContain(locked.email)
  const rows = await app.rows(
    "select after from audit_event where tenant_id = $1 and action = 'tenant.request_units'",
    [tenant.id],
  )
  expect(rows).toEqual([{ after: { units: 50_000, why: 'A sale in December' } }])
  await ask()
  await ask()
  expect((await ask()).code).toBe('TOO_MANY_REQUESTS')
  const viewer = await makeMember(app, tenant, 'viewer')
  const input = { tenant: tenant.slug, units: 1, why: 'x' }
  expect((await viewer.mutate('usage.requestUnits', input)).code).toBe('FORBIDDEN')
  expect((await owner.mutate('usage.requestUnits', { ...input, units: 0 })).code).toBe('BAD_REQUEST')
})
