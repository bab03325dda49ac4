import { expect, test } from 'vitest'
import { openOwnApp } from '../../test/support/app.ts'
import {
  ageSessions,
  type Browser,
  createBrowser,
  mailedToken,
  makePerson,
  PASSWORD,
} from '../../test/support/browser.ts'
import { TEST_KEYS } from '../../test/support/process.ts'
import { testApp } from '../../test/support/testApp.ts'
import { enableTotp } from '../../test/support/totp.ts'

const app = testApp({ LOG_LEVEL: 'debug' })

test('signs up, verifies the address and signs in with a session cookie', async () => {
  const browser = createBrowser(app)
  const email = 'ada@people.example'
  expect((await browser.signUp(email)).status).toBe(200)
  expect([...browser.cookies.keys()]).toEqual(['tollgate.sign_up'])

  expect((await browser.signIn(email)).status).toBe(403)
  const phone = createBrowser(app)
  expect((await phone.get(`/auth/verify-email?token=${await mailedToken(app, email)}`)).status).toBe(200)
  expect(phone.cookies.size).toBe(0)

  const signedIn = await browser.signIn(email)
  expect(signedIn.status).toBe(200)
  const [cookie = ''] = signedIn.headers.getSetCookie()
  expect(cookie).toMatch(/^tollgate\.session_token=/)
  expect(cookie).toMatch(/HttpOnly/i)
  expect(cookie).toMatch(/SameSite=Lax/i)
  expect((await browser.query('session.me')).data).toMatchObject({
    user: { email, name: 'Ada', twoFactorEnabled: false },
    tenants: [],
    staff: null,
  })
})

const confirm = async (browser: Browser, email: string) =>
  browser.get(`/auth/verify-email?token=${await mailedToken(app, email)}`)

const isSignedIn = async (browser: Browser) => (await browser.query('session.me')).data !== null

test('a confirmed address signs in the browser that signed up, once', async () => {
  const browser = createBrowser(app)
  const email = 'grace@people.example'
  await browser.signUp(email)
  const copy = createBrowser(app)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  expect((await confirm(browser, email)).status).toBe(200)
  expect(await isSignedIn(browser)).toBe(true)
  expect([...browser.cookies.keys()]).toEqual(['tollgate.session_token'])
  expect((await confirm(copy, email)).status).toBe(200)
  expect(await isSignedIn(copy)).toBe(false)
  const { rows } = await app.sql.query(
    'select action from audit_event where actor_id = (select id::text from "user" where email = $1)',
    [email],
  )
  expect(rows).toEqual([{ action: 'session.create' }])
})

test('a confirmed address signs nobody in whose sign-up was not the one that made the account', async () => {
  const email = 'linus@people.example'
  const first = createBrowser(app)
  await first.signUp(email, { password: 'what another person chose' })
  const token = await mailedToken(app, email)
  // the owner of the address signs up too, and confirms by the link of the other sign-up
  const owner = createBrowser(app)
  await owner.signUp(email)
  expect(owner.cookies.get('tollgate.sign_up')).toBeDefined()
  expect((await owner.get(`/auth/verify-email?token=${token}`)).status).toBe(200)
  expect(await isSignedIn(owner)).toBe(false)
  expect(await isSignedIn(first)).toBe(false)
})

test('binds cookies to the host with https', async () => {
  const secure = await openOwnApp({ PUBLIC_URL: 'https://localhost' })
  const person = await makePerson(secure)
  expect([...person.cookies.keys()]).toEqual(['__Host-tollgate.session_token', '__Host-tollgate.known'])
  for (const cookie of (await person.signIn(person.email)).headers.getSetCookie()) {
    expect(cookie).toMatch(/^__Host-[^;]+;.*Secure/i)
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).not.toMatch(/Domain=/i)
  }
})

test('a sign-up with a known address gives the same answer, changes nothing and sends an e-mail', async () => {
  const known = await makePerson(app)
  const first = await createBrowser(app).signUp('new@people.example')
  const again = await createBrowser(app).signUp(known.email)
  const shape = ({ status, body }: typeof first) => ({
    status,
    token: body['token'],
    fields: Object.keys(body['user'] as object),
  })
  expect(shape(again)).toEqual(shape(first))
  const subject = async () => (await app.emails()).find(({ to }) => to === known.email)?.subject
  await expect.poll(subject).toBe('You already have an account')
  expect((await createBrowser(app).signIn(known.email)).status).toBe(200)
})

test('a password reset request gives the same answer for known and unknown addresses', async () => {
  const known = await makePerson(app)
  const ask = (email: string) => createBrowser(app).post('/auth/request-password-reset', { email })
  const [yes, no] = [await ask(known.email), await ask('nobody@people.example')]
  expect([yes.status, yes.text]).toEqual([no.status, no.text])
  await mailedToken(app, known.email)
  expect((await app.emails()).map(({ to }) => to)).not.toContain('nobody@people.example')
})

test('a reset link works once, ends every session and replaces the password', async () => {
  const person = await makePerson(app)
  const browser = createBrowser(app)
  await browser.post('/auth/request-password-reset', { email: person.email })
  const token = await mailedToken(app, person.email)
  const reset = () => browser.post('/auth/reset-password', { token, newPassword: 'another long one' })
  expect((await reset()).status).toBe(200)
  expect((await reset()).status).toBe(400)
  expect((await person.query('session.me')).data).toBeNull()
  expect((await browser.signIn(person.email)).status).toBe(401)
  expect((await browser.signIn(person.email, 'another long one')).status).toBe(200)
})

test('refuses a password of nine characters', async () => {
  const reply = await createBrowser(app).signUp('short@people.example', { password: 'ninechars' })
  expect(reply.status).toBe(400)
})

test('refuses a name with a line break, and an image', async () => {
  const person = await makePerson(app)
  for (const change of [{ name: 'Ada\r\nBcc: all@people.example' }, { name: 'Ada', image: 'x'.repeat(60_000) }]) {
    expect((await person.post('/auth/update-user', change)).status).toBe(400)
    expect((await createBrowser(app).signUp('named@people.example', change)).status).toBe(400)
  }
  expect((await person.post('/auth/update-user', { name: 'Ada Lovelace' })).status).toBe(200)
  expect((await person.query('session.me')).data).toMatchObject({ user: { name: 'Ada Lovelace' } })
})

test('requires the second factor after the password and accepts a recovery code once', async () => {
  const person = await makePerson(app)
  const { code, backupCodes } = await enableTotp(person)
  expect((await person.query('session.me')).data).toMatchObject({ user: { twoFactorEnabled: true } })

  const browser = createBrowser(app)
  expect((await browser.signIn(person.email)).body).toMatchObject({ twoFactorRedirect: true })
  expect((await browser.query('session.me')).data).toBeNull()
  expect((await browser.post('/auth/two-factor/verify-totp', { code: '000000' })).status).toBe(401)
  expect((await browser.post('/auth/two-factor/verify-totp', { code: await code() })).status).toBe(200)
  expect((await browser.query('session.me')).data).toMatchObject({ user: { email: person.email } })

  const [recovery] = backupCodes
  const recover = async () => {
    const other = createBrowser(app)
    await other.signIn(person.email)
    await other.post('/auth/two-factor/verify-backup-code', { code: recovery })
    return (await other.query('session.me')).data
  }
  expect(await recover()).not.toBeNull()
  expect(await recover()).toBeNull()
})

const KEYS = {
  t1: TEST_KEYS,
  t2: `t2:${Buffer.alloc(32, 8).toString('base64url')}`,
}
/** Another service on the same database with these sealing keys. */
const startWith = (...ids: (keyof typeof KEYS)[]) =>
  openOwnApp({ DATABASE_URL: app.databaseUrl, TOLLGATE_KEYS: ids.map((id) => KEYS[id]).join(',') })

test('a key rotation signs people out and keeps their second factors', async () => {
  const person = await makePerson(app)
  const { code } = await enableTotp(person)
  const rotated = await startWith('t2', 't1')
  const browser = createBrowser(rotated)
  for (const [name, value] of person.cookies) browser.cookies.set(name, value)
  expect((await browser.query('session.me')).data).toBeNull()
  await browser.signIn(person.email)
  expect((await browser.post('/auth/two-factor/verify-totp', { code: await code() })).status).toBe(200)
})

test('a former key can be removed after a rotation, because second factors and recovery codes are re-encrypted', async () => {
  const person = await makePerson(app)
  const { code, backupCodes } = await enableTotp(person)
  await startWith('t2', 't1')
  const alone = await startWith('t2')
  for (const [path, given] of [
    ['verify-totp', await code()],
    ['verify-backup-code', backupCodes[0]],
  ]) {
    const browser = createBrowser(alone)
    await browser.signIn(person.email)
    expect((await browser.post(`/auth/two-factor/${path}`, { code: given })).status).toBe(200)
    expect((await browser.query('session.me')).data).toMatchObject({ user: { email: person.email } })
  }
})

test('logs a second factor with a missing key and still starts', async () => {
  await startWith('t2', 't1')
  // on a node that the rotation has not reached
  await enableTotp(await makePerson(app))
  const early = await startWith('t2')
  expect(early.logged.join('')).toMatch(/second factors are encrypted with a sealing key that is not in TOLLGATE_KEYS/)
})

test("a new sign-in replaces the browser's session", async () => {
  const person = await makePerson(app)
  const before = (await person.query('session.list')).data as { id: string }[]
  await person.signIn(person.email)
  const after = (await person.query('session.list')).data as { id: string; current: boolean }[]
  expect(after).toHaveLength(1)
  expect(after[0]?.id).not.toBe(before[0]?.id)
  expect(after[0]?.current).toBe(true)
})

test('a revoked session ends immediately, and only its owner can revoke it', async () => {
  const person = await makePerson(app)
  const elsewhere = createBrowser(app)
  await elsewhere.signIn(person.email)
  const sessions = (await person.query('session.list')).data as { id: string; current: boolean }[]
  const other = sessions.find(({ current }) => !current)?.id

  expect((await (await makePerson(app)).mutate('session.revoke', { id: other })).code).toBe('NOT_FOUND')
  expect((await elsewhere.query('session.me')).data).not.toBeNull()
  expect((await person.mutate('session.revoke', { id: other })).status).toBe(200)
  expect((await elsewhere.query('session.me')).data).toBeNull()
  expect((await person.query('session.me')).data).not.toBeNull()
})

test('stores no client address with a session and returns no session token to the page', async () => {
  const person = await makePerson(app)
  const rows = await app.rows('select ip_address from session where user_id = $1', [person.userId])
  expect(rows).toEqual([{ ip_address: null }])
  const tokens = await app.rows<{ token: string }>('select token from session')
  const shown = JSON.stringify([(await person.query('session.list')).data, (await person.query('session.me')).data])
  for (const { token } of tokens) expect(shown).not.toContain(token)
})

test('adding a passkey needs a session of the last ten minutes; anyone can start a sign-in with one', async () => {
  const person = await makePerson(app)
  const options = '/auth/passkey/generate-register-options'
  const ask = (browser: Browser) => browser.post(options, { password: PASSWORD })
  expect((await ask(person)).body).toMatchObject({ rp: { name: 'Tollgate', id: 'localhost' } })
  await ageSessions(app, person, 11)
  expect((await ask(person)).status).toBe(403)
  expect((await ask(createBrowser(app))).status).toBe(401)
  expect((await createBrowser(app).get('/auth/passkey/generate-authenticate-options')).status).toBe(200)
})

test("refuses requests without the service's origin or as a form", async () => {
  const person = await makePerson(app)
  for (const path of ['/auth/sign-out', '/trpc/tenants.create', '/trpc/session.revokeOthers']) {
    for (const origin of ['https://evil.example', 'null', `${app.ctx.config.publicUrl}.evil.example`, ''])
      expect((await person.post(path, { name: 'Forged' }, { origin })).status).toBe(403)
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
      expect((await person.post(path, 'name=Forged', { 'content-type': type })).status).toBe(415)
  }
  expect((await person.query('session.me')).data).toMatchObject({ tenants: [] })
})

test('masks an internal error and logs it with the request id', async () => {
  const { email } = await makePerson(app)
  await app.sql.query('alter table "user" rename to user_gone')
  try {
    const reply = await createBrowser(app).signIn(email)
    expect([reply.status, reply.body]).toEqual([500, { error: 'internal-error' }])
    expect(app.logged.join('')).toContain(reply.headers.get('x-request-id'))
  } finally {
    await app.sql.query('alter table user_gone rename to "user"')
  }
})

test('refuses everything that sends e-mail in production without a mail server, for every address', async () => {
  const production = await openOwnApp({ NODE_ENV: 'production' })
  const known = await makePerson(production)
  for (const email of [known.email, 'nobody@people.example']) {
    const reply = await createBrowser(production).post('/auth/request-password-reset', { email })
    expect(reply.status).toBe(503)
  }
  expect((await known.get('/dev/mailbox')).status).toBe(404)
})

test('logs no password, address, token or code', async () => {
  const person = await makePerson(app)
  await person.post('/auth/request-password-reset', { email: person.email })
  const token = await mailedToken(app, person.email)
  await person.get(`/auth/verify-email?token=${token}`)
  await person.post('/auth/reset-password', { token: 'c4n4ry', newPassword: 'c4n4ry password' })
  await person.query('tenants.get', { tenant: 'c4n4ry' })
  const output = app.logged.join('')
  expect(output).toContain('/auth/reset-password')
  for (const canary of [PASSWORD, 'people.example', token, 'c4n4ry', ...person.cookies.values()])
    expect(output).not.toContain(canary)
})
