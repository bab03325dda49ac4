import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { ageSessions } from '../../../test/support/browser.ts'
import { makeStaff } from '../../../test/support/staff.ts'
import { makeTenant } from '../../../test/support/tenant.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ SUPPORT_UNITS_MAX: '5000' })
})
afterAll(() => app.close())

test('support changes at most the configured number of units, a lead more', async () => {
  const { id: tenant } = await makeTenant(app)
  const [support, lead] = [await makeStaff(app, 'support'), await makeStaff(app, 'lead')]
  for (const procedure of ['staff.tenants.adjustBalance', 'staff.tenants.adjustQuota']) {
    const input = { tenant, reason: 'Ticket 4711' }
    expect((await support.mutate(procedure, { ...input, units: 5000 })).status).toBe(200)
    expect(await support.mutate(procedure, { ...input, units: 5001 })).toMatchObject({ reason: 'units-need-lead' })
    expect((await lead.mutate(procedure, { ...input, units: 5001 })).status).toBe(200)
  }
})

test('a member of staff who reads a tenant is in its audit log, once an hour', async () => {
  const { id: tenant } = await makeTenant(app)
  const support = await makeStaff(app, 'support')
  const reads = async () =>
    (
      await app.sql.query("select actor_type from audit_event where tenant_id = $1 and action = 'tenant.read'", [
        tenant,
      ])
    ).rows
  for (let i = 0; i < 2; i++) await support.query('staff.tenants.get', { tenant })
  expect(await reads()).toEqual([{ actor_type: 'staff' }])
  await app.sql.query("update audit_event set created_at = now() - interval '61 min' where tenant_id = $1", [tenant])
  await support.query('staff.tenants.get', { tenant })
  expect(await reads()).toHaveLength(2)
})

test('a change by staff takes a sign-in of the last ten minutes; reading and ending a view do not', async () => {
  const { id: tenant } = await makeTenant(app)
  const lead = await makeStaff(app, 'lead')
  await ageSessions(app, lead, 11)
  const units = { tenant, units: 1, reason: 'Ticket 4711' }
  expect(await lead.mutate('staff.tenants.adjustBalance', units)).toMatchObject({ reason: 'reauth-required' })
  expect((await lead.query('staff.tenants.get', { tenant })).status).toBe(200)
})
