import { expect, test } from 'vitest'
import {
  ageSessions,
  type Browser,
  createBrowser,
  makePerson,
  PASSWORD,
  type SignedIn,
} from '../../test/support/browser.ts'
import { makeMember, makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import { enableTotp } from '../../test/support/totp.ts'
import { admitOperator } from '../accounts/access.ts'
import { appointStaff } from '../accounts/staff/appoint.ts'

const app = testApp()

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.query('session.me')).data !== null

/** The person in another browser. */
async function elsewhere({ email }: SignedIn): Promise<Browser> {
  const browser = createBrowser(app)
  await browser.signIn(email)
  return browser
}

/** A copy of the browser's current cookies, as an attacker may have stolen them. */
function copyOf(browser: Browser): Browser {
  const copy = createBrowser(app)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

/** A person in two browsers, and a copy of the first one's cookies. */
type Spread = { person: SignedIn; other: Browser; copy: Browser }

const spread = async (person: SignedIn): Promise<Spread> => ({
  person,
  other: await elsewhere(person),
  copy: copyOf(person),
})

const whoIsIn = async ({ person, other, copy }: Spread) => ({
  person: await isSignedIn(person),
  other: await isSignedIn(other),
  copy: await isSignedIn(copy),
})

test('a new role ends all sessions of the member, and of no one else; the same role ends none', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const member = await makeMember(app, tenant, 'viewer')
  const [owners, members] = [await spread(owner), await spread(member)]
  const change = (role: string) =>
    owner.mutate('members.changeRole', { tenant: tenant.slug, member: member.memberId, role })
  expect((await change('viewer')).status).toBe(200)
  expect(await whoIsIn(members)).toEqual({ person: true, other: true, copy: true })
  expect((await change('admin')).status).toBe(200)
  expect(await whoIsIn(members)).toEqual({ person: false, other: false, copy: false })
  expect(await whoIsIn(owners)).toEqual({ person: true, other: true, copy: true })
})

test("a transfer renews the caller's session id without making it fresher and ends all other sessions of both", async () => {
  const { tenant, owner: giver } = await makeOwnedTenant(app)
  const taker = await makeMember(app, tenant, 'viewer')
  const [givers, takers] = [await spread(giver), await spread(taker)]
  await ageSessions(app, giver, 5)
  const freshUntil = async () => ((await giver.query('session.me')).data as { freshUntil: number }).freshUntil
  const before = await freshUntil()
  const transfer = { tenant: tenant.slug, member: taker.memberId }
  expect((await giver.mutate('members.transfer', transfer)).status).toBe(200)
  expect(await whoIsIn(givers)).toEqual({ person: true, other: false, copy: false })
  expect(await whoIsIn(takers)).toEqual({ person: false, other: false, copy: false })
  expect(await freshUntil()).toBe(before)
})

test('a refused transfer keeps the browser signed in', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const transfer = { tenant: tenant.slug, member: owner.memberId }
  expect((await owner.mutate('members.transfer', transfer)).code).toBe('BAD_REQUEST')
  expect(await isSignedIn(owner)).toBe(true)
})

test('turning a second factor on or off ends all other sessions', async () => {
  const person = await makePerson(app)
  const before = await spread(person)
  const { code } = await enableTotp(person)
  expect(await whoIsIn(before)).toEqual({ person: true, other: false, copy: false })
  const copy = copyOf(person)
  expect((await person.post('/auth/two-factor/disable', { password: PASSWORD, code: await code() })).status).toBe(200)
  expect([await isSignedIn(person), await isSignedIn(copy)]).toEqual([true, false])
  expect((await person.query('session.me')).data).toMatchObject({ user: { twoFactorEnabled: false } })
})

test('a new password ends all other sessions, without a request to', async () => {
  const person = await makePerson(app)
  const before = await spread(person)
  const change = { currentPassword: PASSWORD, newPassword: 'another long one' }
  expect((await person.post('/auth/change-password', change)).status).toBe(200)
  expect(await whoIsIn(before)).toEqual({ person: true, other: false, copy: false })
})

test('appointing staff or changing their level ends their sessions', async () => {
  const person = await makePerson(app)
  const before = await spread(person)
  const appoint = (level: 'support' | 'lead') =>
    appointStaff(admitOperator(app.ctx, 'test'), { email: person.email, level })
  await appoint('support')
  expect(await whoIsIn(before)).toEqual({ person: false, other: false, copy: false })
  await person.signIn(person.email)
  await appoint('support')
  expect(await isSignedIn(person)).toBe(true)
  await appoint('lead')
  expect(await isSignedIn(person)).toBe(false)
})
