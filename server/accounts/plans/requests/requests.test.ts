import { expect, test } from 'vitest'
import { openOwnApp } from '../../../../test/support/app.ts'
import { makeStaff } from '../../../../test/support/staff.ts'
import { makeMember, makeOwnedTenant } from '../../../../test/support/tenant.ts'
import { testApp } from '../../../../test/support/testApp.ts'
import type { QuotaRequestRow } from './read.ts'

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
  const viewer = await makeMember(app, tenant, 'viewer')
  const input = { tenant: tenant.slug, units: 1, reason: 'x' }
  expect((await viewer.mutate('usage.requestUnits', input)).code).toBe('FORBIDDEN')
  expect((await owner.mutate('usage.requestUnits', { ...input, units: 0 })).code).toBe('BAD_REQUEST')
})

test('a request that waits is changed without another e-mail, and staff approve what it asks for then', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const staff = await makeStaff(app, 'lead')
  const ask = (units: number) =>
    owner.mutate('usage.requestUnits', { tenant: tenant.slug, units, reason: `For ${units} visitors` })
  const { id } = (await ask(5_000_000)).data as QuotaRequestRow
  expect((await ask(5000)).data).toMatchObject({ id, units: 5000, reason: 'For 5000 visitors', state: 'waiting' })
  const emails = (await app.emails()).filter(({ to, text }) => to === staff.email && text.includes('visitors'))
  expect(emails.map(({ text }) => text)).toEqual([expect.stringContaining('asks for 5,000,000 units a month')])
  expect((await staff.query('staff.quotaRequests.list')).data).toContainEqual(
    expect.objectContaining({ id, units: 5000 }),
  )
})

test('a deployment without a mail server stores requests, too', async () => {
  const silent = await openOwnApp({ NODE_ENV: 'production' })
  const { tenant, owner } = await makeOwnedTenant(silent)
  expect(silent.ctx.mail.ready).toBe(false)
  const input = { tenant: tenant.slug, units: 5000, reason: 'A sale' }
  expect(await owner.mutate('usage.requestUnits', input)).toMatchObject({ status: 200, data: { state: 'waiting' } })
})
