import { expect, test } from 'vitest'
import { openOwnApp } from '../../../../test/support/app.ts'
import { makeStaff } from '../../../../test/support/staff.ts'
import { makeMember, makeOwnedTenant } from '../../../../test/support/tenant.ts'
import { testApp } from '../../../../test/support/testApp.ts'

const app = testApp()

test('a request for more units is stored, shown in Usage, and reaches staff by e-mail and the audit', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const billing = await makeMember(app, tenant, 'billing')
  const staff = await makeStaff(app, 'support')
  const locked = await makeStaff(app, 'support', { twoFactor: false })
  const ask = () =>
    billing.mutate('usage.requestUnits', { tenant: tenant.slug, units: 50_000, reason: 'A sale in December' })
  const read = () => owner.query('usage.request', { tenant: tenant.slug })
  expect((await read()).data).toBeNull()
  expect((await ask()).status).toBe(200)
  const asked = { units: 50_000, reason: 'A sale in December', state: 'waiting', answer: null }
  expect((await read()).data).toMatchObject(asked)
  const email = (await app.emails()).find(({ to }) => to === staff.email)
  expect(email?.text).toContain('asks for 50,000 units a month')
  expect(email?.text).toContain('They wrote: “A sale in December”')
  expect(email?.text).toContain('/staff/approvals')
  // the staff pages would refuse this one, too
  expect((await app.emails()).map(({ to }) => to)).not.toContain(locked.email)
  const rows = await app.rows(
    "select after from audit_event where tenant_id = $1 and action = 'tenant.request_units'",
    [tenant.id],
  )
  expect(rows).toEqual([{ after: { units: 50_000, reason: 'A sale in December' } }])
  expect(await ask()).toMatchObject({ code: 'CONFLICT', reason: 'units-requested' })
  const viewer = await makeMember(app, tenant, 'viewer')
  const input = { tenant: tenant.slug, units: 1, reason: 'x' }
  expect((await viewer.mutate('usage.requestUnits', input)).code).toBe('FORBIDDEN')
  expect((await owner.mutate('usage.requestUnits', { ...input, units: 0 })).code).toBe('BAD_REQUEST')
})

test('a deployment without a mail server stores requests, too', async () => {
  const silent = await openOwnApp({ NODE_ENV: 'production' })
  const { tenant, owner } = await makeOwnedTenant(silent)
  expect(silent.ctx.mail.ready).toBe(false)
  const input = { tenant: tenant.slug, units: 5000, reason: 'A sale' }
  expect(await owner.mutate('usage.requestUnits', input)).toMatchObject({ status: 200, data: { state: 'waiting' } })
})
