import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { ageSessions, makePerson, PASSWORD, type SignedIn } from '../../test/support/browser.ts'
import { makeSite } from '../../test/support/make.ts'
import { makeStaff } from '../../test/support/staff.ts'
import { makeMember, makeOwnedTenant } from '../../test/support/tenant.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

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
  const { rows } = await app.sql.query(
    "select updated_at > now() - interval '1 minute' as used from session where user_id = $1",
    [person.userId],
  )
  expect(rows).toEqual([{ used: true }])
  await ageSessions(app, person, 30 * DAY + 5)
  const change = { currentPassword: PASSWORD, newPassword: 'another long one' }
  expect((await person.post('/auth/change-password', change)).status).toBe(401)
})

test('an invitation, a new role and a new site take a sign-in of the last ten minutes', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const { memberId } = await makeMember(app, tenant, 'viewer')
  await ageSessions(app, owner, 11)
  for (const [procedure, input] of [
    ['members.invite', { email: 'new@people.example', role: 'viewer' }],
    ['members.changeRole', { member: memberId, role: 'admin' }],
    ['sites.create', { name: 'Shop', hostnames: ['shop.example'] }],
  ] as const)
    expect(await owner.mutate(procedure, { tenant: tenant.slug, ...input })).toMatchObject({
      reason: 'reauth-required',
    })
})

test('a developer rotates secrets only with an overlap, because they may not revoke any', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const { siteId } = await makeSite(app.ctx, { tenantId: tenant.id })
  const developer = await makeMember(app, tenant, 'developer')
  const rotate = (overlap: number) => developer.mutate('secrets.rotate', { tenant: tenant.slug, site: siteId, overlap })
  expect(await rotate(0)).toMatchObject({ reason: 'role-required' })
  expect((await rotate(3600)).status).toBe(200)
})
