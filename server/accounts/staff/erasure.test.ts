import { expect, test } from 'vitest'
import { type SignedIn } from '../../../test/support/browser.ts'
import { makeSite } from '../../../test/support/make.ts'
import { makeStaff } from '../../../test/support/staff.ts'
import { makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../test/support/testApp.ts'
import { verifyAudit } from '../../ledger/audit/verify.ts'

const app = testApp()
const lead = setUp(() => makeStaff(app, 'lead'))

const recorded = (action: string, target: string) =>
  app.rows('select actor_type, actor_id from audit_event where action = $1 and target = $2', [action, target])

const byLead = () => [{ actor_type: 'staff', actor_id: lead.userId }]

test('a lead exports and erases a person after typing the address, and both are recorded', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const { email, userId } = await makeMember(app, tenant, 'developer')
  const exported = await lead.mutate('staff.people.export', { email })
  expect(exported.data).toMatchObject({ email, account: { id: userId, members: [{ role: 'developer' }] } })
  expect(await recorded('person.export', userId)).toEqual(byLead())

  expect(await lead.mutate('staff.people.erase', { email, confirm: 'yes' })).toMatchObject({
    reason: 'confirmation-wrong',
  })
  expect((await lead.mutate('staff.people.erase', { email, confirm: email })).data).toMatchObject({ account: true })
  expect(await app.ctx.prisma.user.count({ where: { id: userId } })).toBe(0)
  expect(await recorded('person.erase', userId)).toEqual(byLead())
  expect(await lead.mutate('staff.people.export', { email })).toMatchObject({ reason: 'person-not-found' })
  expect((await verifyAudit(app.ctx)).faults).toEqual([])
})

test('the last owner of a tenant and members of staff are not erased in the console', async () => {
  const { owner } = await makeOwnedTenant(app)
  const colleague = await makeStaff(app, 'support')
  const erase = ({ email }: SignedIn) => lead.mutate('staff.people.erase', { email, confirm: email })
  expect((await erase(owner)).reason).toBe('last-owner')
  expect((await erase(colleague)).reason).toBe('person-is-staff')
  expect((await erase(lead)).reason).toBe('person-is-staff')
  const kept = [owner, colleague, lead].map(({ userId }) => userId)
  expect(await app.ctx.prisma.user.count({ where: { id: { in: kept } } })).toBe(3)
})

test('a lead erases a visitor of a tenant after typing the slug, and it is in the tenant’s audit', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const hash = 'c'.repeat(64)
  await app.client.intent(site, { session: hash })
  const erase = (input: object) =>
    lead.mutate('staff.visitors.erase', { tenant: tenant.id, field: 'session', hash, confirm: tenant.slug, ...input })
  expect((await erase({ confirm: '' })).reason).toBe('confirmation-wrong')
  expect((await erase({ hash: 'C'.repeat(64) })).reason).toBe('input-invalid')
  expect((await erase({})).data).toEqual({ intents: 1, grants: 0, decisions: 0 })
  expect(await app.ctx.prisma.intent.count({ where: { session: hash } })).toBe(0)
  expect(await recorded('visitor.erase', tenant.id)).toEqual(byLead())
})
