import { expect, test } from 'vitest'
import { KINDS } from '../../test/matrix/kinds.ts'
import { ageSessions, makePerson, PASSWORD, type SignedIn } from '../../test/support/browser.ts'
import { makeSite } from '../../test/support/make.ts'
import { makeStaff } from '../../test/support/staff.ts'
import { makeMember, makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'

const app = testApp()

const HOUR = 60
const DAY = 24 * HOUR

/** Whether a session still works that authenticated and was used so many minutes ago. */
async function works(person: SignedIn, { age, idle }: { age: number; idle: number }): Promise<boolean> {
  await person.signIn(person.email)
  await app.sql.query(
    `update session set created_at = now() - make_interval(mins => $2), updated_at = now() - make_interval(mins => $3),
      expires_at = now() + interval '7 days' where user_id = $1`,
    [person.userId, age, idle],
  )
  return (await person.query('session.me')).data !== null
}

test('a session ends 30 days after the sign-in and 7 days after the last request', async () => {
  const person = await makePerson(app)
  expect(await works(person, { age: 30 * DAY - 5, idle: 7 * DAY - 5 })).toBe(true)
  expect(await works(person, { age: 30 * DAY + 5, idle: 0 })).toBe(false)
  expect(await works(person, { age: 8 * DAY, idle: 7 * DAY + 5 })).toBe(false)
})

test('a session of staff ends after 12 hours, and after 30 minutes without a request', async () => {
  const staff = await makeStaff(app, 'lead', { twoFactor: false })
  expect(await works(staff, { age: 12 * HOUR - 5, idle: 25 })).toBe(true)
  expect(await works(staff, { age: 12 * HOUR + 5, idle: 0 })).toBe(false)
  expect(await works(staff, { age: 35, idle: 35 })).toBe(false)
})

test('a request keeps a session from becoming idle, and one that is over cannot change the password', async () => {
  const person = await makePerson(app)
  await works(person, { age: 100, idle: 100 })
  const rows = await app.rows(
    "select updated_at > now() - interval '1 minute' as used from session where user_id = $1",
    [person.userId],
  )
  expect(rows).toEqual([{ used: true }])
  await ageSessions(app, person, 30 * DAY + 5)
  const change = { currentPassword: PASSWORD, newPassword: 'another long one' }
  expect((await person.post('/auth/change-password', change)).status).toBe(401)
})

/** Procedures that a stolen session must not be able to call. */
const FRESH = [
  'keys.create',
  'members.changeRole',
  'members.invite',
  'members.transfer',
  'secrets.issue',
  'secrets.rotate',
  'sites.create',
  'sites.delete',
  'staff.addNote',
  'staff.jobs.delete',
  'staff.jobs.retry',
  'staff.networks.add',
  'staff.networks.change',
  'staff.networks.remove',
  'staff.people.erase',
  'staff.people.export',
  'staff.quotaRequests.approve',
  'staff.quotaRequests.decline',
  'staff.requests.approve',
  'staff.requests.reject',
  'staff.system.reconcile',
  'staff.tenants.adjustBalance',
  'staff.tenants.adjustQuota',
  'staff.tenants.restore',
  'staff.tenants.suspend',
  'staff.tenants.undoBalance',
  'staff.tenants.undoQuota',
  'staff.tenants.viewAs',
  'staff.visitors.erase',
  'tenants.delete',
  'tenants.update',
  'webhooks.create',
  'webhooks.rotate',
]

test('exactly these changes take a sign-in of the last ten minutes', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const lead = await makeStaff(app, 'lead')
  for (const person of [owner, lead]) await ageSessions(app, person, 11)
  const asked: string[] = []
  for (const [path, kind] of KINDS) {
    if (kind !== 'mutation') continue
    const { reason } = await (path.startsWith('staff.') ? lead : owner).mutate(path, { tenant: tenant.slug })
    if (reason === 'reauth-required') asked.push(path)
  }
  expect(asked.toSorted()).toEqual(FRESH)
})

test('a developer rotates secrets only with an overlap of an hour or more, because they may not revoke any', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const { siteId } = await makeSite(app.ctx, { tenantId: tenant.id })
  const developer = await makeMember(app, tenant, 'developer')
  const rotate = (overlap: number) => developer.mutate('secrets.rotate', { tenant: tenant.slug, site: siteId, overlap })
  expect(await rotate(0)).toMatchObject({ reason: 'role-required' })
  expect(await rotate(3599)).toMatchObject({ reason: 'role-required' })
  expect((await rotate(3600)).status).toBe(200)
})
