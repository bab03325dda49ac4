import { afterAll, beforeAll, expect, test } from 'vitest'
import { admitOperator } from '../accounts/access.ts'
import { appointStaff } from '../accounts/staff/appoint.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { type Browser, createBrowser, makePerson, PASSWORD, type SignedIn } from '../testing/browser.ts'
import { makeTenant } from '../testing/tenant.ts'
import { enableTotp } from '../testing/totp.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.query('session.me')).data !== null

/** The person in another browser. */
async function elsewhere({ email }: SignedIn): Promise<Browser> {
  const browser = createBrowser(app)
  await browser.signIn(email)
  return browser
}

/** The browser with the cookies of now: what somebody has who copied them. */
function copyOf(browser: Browser): Browser {
  const copy = createBrowser(app)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

/** A person in two browsers, and a copy of the first one's cookies. */
async function makeSpread(member?: { tenantId: string; role: 'owner' | 'viewer' }) {
  const person = await makePerson(app, member ? { member } : {})
  return { person, other: await elsewhere(person), copy: copyOf(person) }
}

type Spread = Awaited<ReturnType<typeof makeSpread>>

const whoIsIn = async ({ person, other, copy }: Spread) => ({
  person: await isSignedIn(person),
  other: await isSignedIn(other),
  copy: await isSignedIn(copy),
})

const membershipOf = async (tenantId: string, { userId }: SignedIn): Promise<string> =>
  (await app.sql.query('select id from member where tenant_id = $1 and user_id = $2', [tenantId, userId])).rows[0].id

test('another role ends every session of its member, the same one none, and nobody else is touched', async () => {
  const tenant = await makeTenant(app)
  const owner = await makeSpread({ tenantId: tenant.id, role: 'owner' })
  const viewer = await makeSpread({ tenantId: tenant.id, role: 'viewer' })
  const member = await membershipOf(tenant.id, viewer.person)
  const change = (role: string) => owner.person.mutate('members.changeRole', { tenant: tenant.slug, member, role })
  expect((await change('viewer')).status).toBe(200)
  expect(await whoIsIn(viewer)).toEqual({ person: true, other: true, copy: true })
  expect((await change('admin')).status).toBe(200)
  expect(await whoIsIn(viewer)).toEqual({ person: false, other: false, copy: false })
  expect(await whoIsIn(owner)).toEqual({ person: true, other: true, copy: true })
})

test('a transfer goes on under a new session id, no fresher than before; all other sessions of both end', async () => {
  const tenant = await makeTenant(app)
  const giver = await makeSpread({ tenantId: tenant.id, role: 'owner' })
  const taker = await makeSpread({ tenantId: tenant.id, role: 'viewer' })
  await app.sql.query(`update session set created_at = now() - interval '5 min' where user_id = $1`, [
    giver.person.userId,
  ])
  const freshUntil = async () => ((await giver.person.query('session.me')).data as { freshUntil: number }).freshUntil
  const before = await freshUntil()
  const member = await membershipOf(tenant.id, taker.person)
  expect((await giver.person.mutate('members.transfer', { tenant: tenant.slug, member })).status).toBe(200)
  expect(await whoIsIn(giver)).toEqual({ person: true, other: false, copy: false })
  expect(await whoIsIn(taker)).toEqual({ person: false, other: false, copy: false })
  expect(await freshUntil()).toBe(before)
})

test('a transfer that is refused leaves the browser signed in', async () => {
  const tenant = await makeTenant(app)
  const { person } = await makeSpread({ tenantId: tenant.id, role: 'owner' })
  const member = await membershipOf(tenant.id, person)
  expect((await person.mutate('members.transfer', { tenant: tenant.slug, member })).code).toBe('BAD_REQUEST')
  expect(await isSignedIn(person)).toBe(true)
})

test('a second factor, turned on or off, ends every session but that of who turned it', async () => {
  const on = await makeSpread()
  await enableTotp(on.person)
  expect(await whoIsIn(on)).toEqual({ person: true, other: false, copy: false })
  const off = { ...on, copy: copyOf(on.person) }
  expect((await on.person.post('/auth/two-factor/disable', { password: PASSWORD })).status).toBe(200)
  expect(await whoIsIn(off)).toEqual({ person: true, other: false, copy: false })
  expect((await on.person.query('session.me')).data).toMatchObject({ user: { twoFactorEnabled: false } })
})

test('a new password ends every other session, whatever the page asks for', async () => {
  const spread = await makeSpread()
  const change = { currentPassword: PASSWORD, newPassword: 'another long one', revokeOtherSessions: false }
  expect((await spread.person.post('/auth/change-password', change)).status).toBe(200)
  expect(await whoIsIn(spread)).toEqual({ person: true, other: false, copy: false })
})

test('who becomes staff, or is given another level, signs in anew', async () => {
  const spread = await makeSpread()
  const appoint = (level: 'support' | 'lead') =>
    appointStaff(admitOperator(app.ctx, 'test'), { email: spread.person.email, level })
  await appoint('support')
  expect(await whoIsIn(spread)).toEqual({ person: false, other: false, copy: false })
  await spread.person.signIn(spread.person.email)
  await appoint('support')
  expect(await isSignedIn(spread.person)).toBe(true)
  await appoint('lead')
  expect(await isSignedIn(spread.person)).toBe(false)
})
