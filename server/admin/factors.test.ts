import { createHmac } from 'node:crypto'
import { serializeSignedCookie } from 'better-call'
import { expect, test } from 'vitest'
import {
  ageSessions,
  type Browser,
  createBrowser,
  mailedToken,
  makePerson,
  PASSWORD,
} from '../../test/support/browser.ts'
import { makePasskey, registerPasskey, signInWithPasskey, USER_PRESENT } from '../../test/support/passkey.ts'
import { makeMember, makeTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import { enableTotp } from '../../test/support/totp.ts'
import { authOf } from '../accounts/sessions/auth.ts'

const app = testApp()

const OPTIONS = '/auth/passkey/generate-register-options'
const NEW_PASSWORD = 'another long one'

/** The token of a new reset link. */
async function resetToken(email: string, former?: string): Promise<string> {
  await createBrowser(app).post('/auth/request-password-reset', { email })
  return mailedToken(app, email, former)
}

const reset = (token: string, newPassword = NEW_PASSWORD) =>
  createBrowser(app).post('/auth/reset-password', { token, newPassword })

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.query('session.me')).data !== null

test('trustDevice does not let a browser skip the second factor', async () => {
  const person = await makePerson(app)
  const { code } = await enableTotp(person)
  const browser = createBrowser(app)
  await browser.signIn(person.email)
  await browser.post('/auth/two-factor/verify-totp', { code: await code(), trustDevice: true })
  expect([...browser.cookies.keys()].filter((name) => name.includes('trust'))).toEqual([])
  await browser.post('/auth/sign-out', {})
  expect((await browser.signIn(person.email)).body).toMatchObject({ twoFactorRedirect: true })
  expect(await isSignedIn(browser)).toBe(false)
})

test('a device that was trusted before is asked for the code', async () => {
  const person = await makePerson(app)
  await enableTotp(person)
  const { secret, internalAdapter, createAuthCookie } = await (await authOf(app.ctx)).$context
  const identifier = 'trust-device-of-an-earlier-version'
  await internalAdapter.createVerificationValue({
    identifier,
    value: person.userId,
    expiresAt: new Date(Date.now() + 86_400_000),
  })
  const proof = createHmac('sha256', secret).update(`${person.userId}!${identifier}`).digest('base64url')
  const { name } = createAuthCookie('trust_device')
  const cookie = await serializeSignedCookie(name, `${proof}!${identifier}`, secret)
  const browser = createBrowser(app)
  browser.cookies.set(name, cookie.slice(name.length + 1).split(';')[0] ?? '')
  expect((await browser.signIn(person.email)).body).toMatchObject({ twoFactorRedirect: true })
  expect(await isSignedIn(browser)).toBe(false)
})

test('adding a passkey takes the password, and the code if there is an authenticator', async () => {
  const person = await makePerson(app)
  const ask = (body: object) => person.post(OPTIONS, body)
  expect((await person.get(OPTIONS)).status).toBe(404)
  expect((await ask({})).status).toBe(400)
  expect((await ask({ password: 'not the password' })).body).toMatchObject({ code: 'INVALID_PASSWORD' })
  expect((await ask({ password: PASSWORD })).body).toMatchObject({ rp: { id: 'localhost' } })

  const { code } = await enableTotp(person)
  expect((await ask({ password: PASSWORD })).body).toMatchObject({ code: 'CODE_REQUIRED' })
  expect((await ask({ password: PASSWORD, code: '000000' })).body).toMatchObject({ code: 'INVALID_CODE' })
  expect((await ask({ password: PASSWORD, code: await code() })).status).toBe(200)
})

test('removing a passkey takes the password, and the code if there is an authenticator', async () => {
  const person = await makePerson(app)
  await registerPasskey(app, person, { password: PASSWORD })
  const passkeys = () => app.rows<{ id: string }>('select id from passkey where user_id = $1', [person.userId])
  const [passkey] = await passkeys()
  const remove = (body: object) => person.post('/auth/passkey/delete-passkey', { id: passkey?.id, ...body })
  expect((await remove({})).status).toBe(400)
  expect((await remove({ password: 'not the password' })).body).toMatchObject({ code: 'INVALID_PASSWORD' })
  const stranger = await makePerson(app)
  await stranger.post('/auth/passkey/delete-passkey', { id: passkey?.id, password: PASSWORD })
  expect(await passkeys()).toHaveLength(1)
  const { code } = await enableTotp(person)
  expect((await remove({ password: PASSWORD })).body).toMatchObject({ code: 'CODE_REQUIRED' })
  expect((await remove({ password: PASSWORD, code: '000000' })).body).toMatchObject({ code: 'INVALID_CODE' })
  expect(await passkeys()).toHaveLength(1)
  expect((await remove({ password: PASSWORD, code: await code() })).status).toBe(200)
  expect(await passkeys()).toEqual([])
})

test('a new passkey opens no new session', async () => {
  const person = await makePerson(app)
  await ageSessions(app, person, 5)
  const before = await app.sql.query('select id, created_at from session where user_id = $1', [person.userId])
  const refused = await registerPasskey(app, person, { password: PASSWORD, createSession: true })
  expect(refused.reply.status).toBe(400)
  const { reply } = await registerPasskey(app, person, { password: PASSWORD })
  expect(reply.status).toBe(200)
  expect(reply.text).not.toContain('token')
  const after = await app.sql.query('select id, created_at from session where user_id = $1', [person.userId])
  expect(after.rows).toEqual(before.rows)
})

test('a password reset ends passkeys, sessions, sign-ins that wait for a code, and other reset links', async () => {
  const person = await makePerson(app)
  const { passkey } = await registerPasskey(app, person, { password: PASSWORD })
  const { code } = await enableTotp(person)
  const waiting = createBrowser(app)
  await waiting.signIn(person.email)
  const first = await resetToken(person.email)
  const second = await resetToken(person.email, first)
  expect((await reset(second)).status).toBe(200)
  expect((await reset(first)).status).toBe(400)
  expect(await isSignedIn(person)).toBe(false)
  expect((await waiting.post('/auth/two-factor/verify-totp', { code: await code() })).status).toBe(401)
  expect((await signInWithPasskey(app, passkey)).reply.status).toBe(401)
  // the authenticator of a confirmed address stays: the mailbox alone must not be enough
  expect((await createBrowser(app).signIn(person.email, NEW_PASSWORD)).body).toMatchObject({ twoFactorRedirect: true })
})

test('someone who signed up with the address of another person loses all access to the account', async () => {
  const email = 'victim@people.example'
  await createBrowser(app).signUp(email)
  const { id: userId } = await app.ctx.prisma.user.findUniqueOrThrow({ where: { email } })
  // as if a way existed to prepare the account before the address is confirmed
  const prepared = { userId, email, ...createBrowser(app) }
  await app.sql.query('update "user" set email_verified = true where id = $1', [userId])
  await prepared.signIn(email)
  await app.sql.query('update "user" set email_verified = false where id = $1', [userId])
  const early = await makePasskey(app, prepared)

  expect((await createBrowser(app).get(`/auth/verify-email?token=${await mailedToken(app, email)}`)).status).toBe(200)
  expect(await isSignedIn(prepared)).toBe(false)
  expect((await signInWithPasskey(app, early)).reply.status).toBe(401)

  // the password still works, because it may be the person's own: until they choose another one
  const attacker = { userId, email, ...createBrowser(app) }
  expect((await attacker.signIn(email)).status).toBe(200)
  const { passkey } = await registerPasskey(app, attacker, { password: PASSWORD })
  expect((await reset(await resetToken(email))).status).toBe(200)
  expect(await isSignedIn(attacker)).toBe(false)
  expect((await createBrowser(app).signIn(email)).status).toBe(401)
  expect((await signInWithPasskey(app, passkey)).reply.status).toBe(401)
  expect((await createBrowser(app).signIn(email, NEW_PASSWORD)).status).toBe(200)
})

test('a reset of an unconfirmed account ends the authenticator that was set up before', async () => {
  const person = await makePerson(app)
  await enableTotp(person)
  await app.sql.query('update "user" set email_verified = false where id = $1', [person.userId])
  expect((await reset(await resetToken(person.email))).status).toBe(200)
  const browser = createBrowser(app)
  await browser.signIn(person.email, NEW_PASSWORD)
  expect(await isSignedIn(browser)).toBe(true)
})

test('a new reset link and a password change end earlier reset links', async () => {
  const person = await makePerson(app)
  const first = await resetToken(person.email)
  const second = await resetToken(person.email, first)
  expect((await reset(first)).status).toBe(400)
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  expect((await person.post('/auth/change-password', change)).status).toBe(200)
  expect((await reset(second, 'yet another password')).status).toBe(400)
  expect((await createBrowser(app).signIn(person.email, NEW_PASSWORD)).status).toBe(200)
})

test.each(['/auth/two-factor/disable', '/auth/two-factor/generate-backup-codes', '/auth/two-factor/enable'])(
  '%s takes the code too where there is an authenticator',
  async (path) => {
    const person = await makePerson(app)
    const { code } = await enableTotp(person)
    const ask = (body: object) => person.post(path, body)
    expect((await ask({ password: PASSWORD })).body).toMatchObject({ code: 'CODE_REQUIRED' })
    expect((await ask({ password: PASSWORD, code: '000000' })).body).toMatchObject({ code: 'INVALID_CODE' })
    expect((await ask({ password: 'not the password', code: '000000' })).body).toMatchObject({
      code: 'INVALID_PASSWORD',
    })
    expect((await person.query('session.me')).data).toMatchObject({ user: { twoFactorEnabled: true } })
    const right = await ask({ password: PASSWORD, code: await code() })
    // an authenticator is replaced by turning it off first
    expect([right.status, right.body['code']]).toEqual(
      path.endsWith('enable') ? [400, 'TOTP_ALREADY_ENABLED'] : [200, undefined],
    )
  },
)

test('a recovery code turns the second factor off instead of a code, once', async () => {
  const person = await makePerson(app)
  const { backupCodes } = await enableTotp(person)
  const [first, second] = backupCodes as [string, string]
  const send = (path: string, code: string) => person.post(path, { password: PASSWORD, code })
  expect((await send(OPTIONS, first)).status).toBe(200)
  expect((await send('/auth/two-factor/disable', first)).body).toMatchObject({ code: 'INVALID_BACKUP_CODE' })
  expect((await send('/auth/two-factor/disable', second)).status).toBe(200)
  expect((await person.query('session.me')).data).toMatchObject({ user: { twoFactorEnabled: false } })
})

test('a passkey signs in only with user verification', async () => {
  const person = await makePerson(app)
  const passkey = await makePasskey(app, person)
  const found = await signInWithPasskey(app, passkey, USER_PRESENT)
  expect(found.reply.status).toBe(401)
  expect((await found.browser.query('session.me')).data).toBeNull()
  const own = await signInWithPasskey(app, passkey)
  expect(own.reply.status).toBe(200)
  expect((await own.browser.query('session.me')).data).toMatchObject({ user: { email: person.email } })
})

test('if a second factor is required, a passkey does not replace the authenticator', async () => {
  const tenant = await makeTenant(app)
  await app.sql.query('update tenant set require_2fa = true where id = $1', [tenant.id])
  const person = await makeMember(app, tenant, 'viewer')
  const passkey = await makePasskey(app, person)
  const enter = async () => {
    const { browser } = await signInWithPasskey(app, passkey)
    return browser.query('tenants.get', { tenant: tenant.slug })
  }
  expect(await enter()).toMatchObject({ code: 'FORBIDDEN', reason: 'two-factor-required' })
  await enableTotp(person)
  expect((await enter()).status).toBe(200)
})

test('registering a passkey requires user verification', async () => {
  const person = await makePerson(app)
  const { body } = await person.post('/auth/passkey/generate-register-options', { password: PASSWORD })
  expect(body).toMatchObject({ authenticatorSelection: { userVerification: 'required' } })
})
