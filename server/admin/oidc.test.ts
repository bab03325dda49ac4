import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { type Browser, createBrowser, makePerson, PASSWORD } from '../../test/support/browser.ts'
import { CLIENT, type Claims, openIdentityProvider, signInAt } from '../../test/support/identityProvider.ts'
import { makeStaff } from '../../test/support/staff.ts'
import { makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import { enableTotp } from '../../test/support/totp.ts'
import { admitOperator } from '../accounts/access.ts'
import { setPassword, welcomePerson } from '../accounts/sessions/person.ts'
import { appointStaff } from '../accounts/staff/appoint.ts'
import { newId } from '../kit/crypto/ids.ts'

const idp = await openIdentityProvider()
afterAll(() => idp.close())

const SETTINGS = {
  OIDC_ISSUER: idp.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_LABEL: 'Example SSO',
}
const app = testApp({
  ...SETTINGS,
  OIDC_DOMAINS: 'people.example',
  OIDC_STAFF_CLAIM: 'groups:tollgate-leads=lead,groups:tollgate-support=support',
  OIDC_TRUST_AMR: 'on',
})

/** A person of the provider with a new subject and address. */
function newPerson(claims: Claims = {}): { sub: string; email: string } {
  const sub = newId()
  const email = `${sub}@people.example`
  idp.people.set(sub, { email, email_verified: true, name: 'Ida Provided', ...claims })
  return { sub, email: idp.people.get(sub)?.email ?? email }
}

const register = ({ url, ctx }: TestApp) =>
  idp.register({ redirectUri: `${ctx.config.publicUrl}/auth/oidc/callback`, logoutUri: `${url}/auth/oidc/logout` })

/** Starts a sign-in; returns the address at the provider. */
async function start(browser: Browser, service: TestApp = app, next = '/account'): Promise<URL> {
  register(service)
  const reply = await browser.get(`/auth/oidc/start?next=${encodeURIComponent(next)}`)
  return new URL(reply.headers.get('location') ?? '', service.url)
}

/** Where the browser is in the end: a path, or what the page after the provider says. */
const endOf = ({ headers }: { headers: Headers }) => {
  const location = headers.get('location') ?? ''
  return location.startsWith('/sso#') ? Object.fromEntries(new URLSearchParams(location.slice(5))) : location
}

async function signIn(browser: Browser, sub: string, service: TestApp = app) {
  const authorization = await start(browser, service)
  return endOf(await browser.get(await signInAt(authorization.href, sub)))
}

const me = async (browser: Browser) =>
  (await browser.query('session.me')).data as {
    user: { id: string; email: string; name: string }
    staff: string | null
  } | null

describe('signing in', () => {
  test('creates an account at the first sign-in, and finds it by issuer and subject afterwards', async () => {
    const { sub, email } = newPerson()
    const browser = createBrowser(app)
    expect(await signIn(browser, sub)).toBe('/account')
    expect(await me(browser)).toMatchObject({ user: { email, name: 'Ida Provided' }, staff: null })
    const first = await me(browser)
    // another address at the provider is still the same person
    idp.people.set(sub, { email: `new-${email}`, email_verified: true })
    const other = createBrowser(app)
    expect(await signIn(other, sub)).toBe('/account')
    expect((await me(other))?.user.id).toBe(first?.user.id)
    const rows = await app.rows(
      `select actor_type::text, after from audit_event where action = 'session.create' and target = $1`,
      [first?.user.id],
    )
    expect(rows).toEqual([
      { actor_type: 'user', after: { by: 'oidc' } },
      { actor_type: 'user', after: { by: 'oidc' } },
    ])
  })

  test('sends PKCE, a state and a nonce, and leads only to paths of its own afterwards', async () => {
    const { searchParams } = await start(createBrowser(app))
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    })
    const browser = createBrowser(app)
    const authorization = await start(browser, app, '//evil.example/')
    expect(endOf(await browser.get(await signInAt(authorization.href, newPerson().sub)))).toBe('/')
  })

  test.each<[what: string, change: (authorization: URL) => void, error: string]>([
    ['another nonce', (url) => url.searchParams.set('nonce', 'other'), 'provider-response-invalid'],
    [
      'another PKCE challenge',
      (url) => url.searchParams.set('code_challenge', 'a'.repeat(43)),
      'provider-response-invalid',
    ],
    ['another state', (url) => url.searchParams.set('state', 'other'), 'sign-in-expired'],
  ])('refuses %s', async (_what, change, error) => {
    const browser = createBrowser(app)
    const authorization = await start(browser)
    change(authorization)
    expect(endOf(await browser.get(await signInAt(authorization.href, newPerson().sub)))).toEqual({ error })
    expect(await me(browser)).toBeNull()
  })

  test('a code counts once, and only in the browser and sign-in that it was made for', async () => {
    const browser = createBrowser(app)
    const callback = await signInAt((await start(browser)).href, newPerson().sub)
    expect(endOf(await createBrowser(app).get(callback))).toEqual({ error: 'sign-in-expired' })
    const cookies = new Map(browser.cookies)
    expect(endOf(await browser.get(callback))).toBe('/account')
    const replaying = createBrowser(app)
    for (const [name, value] of cookies) replaying.cookies.set(name, value)
    expect(endOf(await replaying.get(callback))).toEqual({ error: 'sign-in-expired' })
    // in a new sign-in the provider refuses the code
    const state = (await start(replaying)).searchParams.get('state') ?? ''
    const replayed = callback.replace(/state=[^&]+/, `state=${state}`)
    expect(endOf(await replaying.get(replayed))).toEqual({ error: 'provider-response-invalid' })
    expect(await me(replaying)).toBeNull()
  })

  test('refuses an answer of another issuer, and one without an issuer', async () => {
    for (const iss of ['https://other.example', undefined]) {
      const browser = createBrowser(app)
      const callback = new URL(await signInAt((await start(browser)).href, newPerson().sub), app.url)
      if (iss === undefined) callback.searchParams.delete('iss')
      else callback.searchParams.set('iss', iss)
      expect(endOf(await browser.get(callback.pathname + callback.search))).toEqual({
        error: 'provider-response-invalid',
      })
    }
  })

  const now = () => Math.floor(Date.now() / 1000)
  test.each<[what: string, claims: () => Record<string, unknown>]>([
    ['is of another issuer', () => ({ iss: 'https://other.example' })],
    ['is for another client', () => ({ aud: 'other' })],
    ['is for several clients and was made for another one', () => ({ aud: ['other', CLIENT.id], azp: 'other' })],
    ['has expired more than a minute ago', () => ({ exp: now() - 90 })],
    ['never expires', () => ({ exp: undefined })],
    ['has no nonce', () => ({ nonce: undefined })],
    ['is about another person than its access token', () => ({ sub: newPerson().sub })],
  ])('refuses an identity token that %s', async (_what, claims) => {
    const browser = createBrowser(app)
    const authorization = await start(browser)
    idp.forge = (token) => ({ ...token, ...claims() })
    expect(endOf(await browser.get(await signInAt(authorization.href, newPerson().sub)))).toEqual({
      error: 'provider-response-invalid',
    })
    expect(await me(browser)).toBeNull()
  })

  test('accepts a clock that is 30 seconds off, and refuses a signature by a key that is not the provider’s', async () => {
    idp.forge = (token) => ({ ...token, exp: now() - 30 })
    expect(await signIn(createBrowser(app), newPerson().sub)).toBe('/account')
    idp.forge = (token) => token
    idp.forgeKey = await idp.newKey()
    expect(await signIn(createBrowser(app), newPerson().sub)).toEqual({ error: 'provider-response-invalid' })
  })

  test('follows a rotation of the provider’s keys', async () => {
    expect(await signIn(createBrowser(app), newPerson().sub)).toBe('/account')
    await idp.rotateKeys()
    await expect.poll(() => signIn(createBrowser(app), newPerson().sub), { timeout: 10_000 }).toBe('/account')
  })

  test('the provider being down stops neither the start of the service nor passwords', async () => {
    idp.down = true
    const service = await openTestApp(SETTINGS)
    try {
      expect(endOf(await createBrowser(service).get('/auth/oidc/start'))).toEqual({ error: 'provider-unavailable' })
      expect((await me(await makePerson(service)))?.staff).toBeNull()
      idp.down = false
      expect(await signIn(createBrowser(service), newPerson().sub, service)).toBe('/account')
      const browser = createBrowser(service)
      const callback = await signInAt((await start(browser, service)).href, newPerson().sub)
      idp.down = true
      expect(endOf(await browser.get(callback))).toEqual({ error: 'provider-unavailable' })
    } finally {
      idp.down = false
      await service.close()
    }
  })
})

describe('who gets an account', () => {
  test.each<[what: string, claims: Claims, error: string]>([
    ['an address that is not verified', { email_verified: false }, 'email-unverified'],
    ['an address of which nothing is said', { email_verified: undefined as never }, 'email-unverified'],
    ['an address at another domain', { email: 'ida@other.example' }, 'domain-refused'],
    ['an address at a subdomain', { email: 'ida@sub.people.example' }, 'domain-refused'],
  ])('nobody with %s', async (_what, claims, error) => {
    const { sub, email } = newPerson(claims)
    expect(await signIn(createBrowser(app), sub)).toEqual({ error })
    expect(await app.ctx.prisma.user.count({ where: { email } })).toBe(0)
  })

  test('with SIGN_UP=off only someone with an invitation to the address', async () => {
    const service = await openTestApp({ ...SETTINGS, SIGN_UP: 'off' })
    try {
      const { sub, email } = newPerson()
      expect(await signIn(createBrowser(service), sub, service)).toEqual({ error: 'invitation-required' })
      const { tenant, owner } = await makeOwnedTenant(service)
      await owner.mutate('members.invite', { tenant: tenant.slug, email, role: 'viewer' })
      expect(await signIn(createBrowser(service), sub, service)).toBe('/account')
    } finally {
      await service.close()
    }
  })

  test('an existing account is linked only after its password, once, and can be unlinked with another way in', async () => {
    const person = await makePerson(app)
    const { sub } = newPerson({ email: person.email })
    const browser = createBrowser(app)
    expect(await signIn(browser, sub)).toEqual({ step: 'link', email: person.email })
    expect(await me(browser)).toBeNull()
    const unproved = await browser.post('/auth/oidc/finish', {})
    expect([unproved.status, unproved.body['code']]).toEqual([403, 'link-unproved'])
    const stranger = await makePerson(app)
    for (const [name, value] of stranger.cookies) browser.cookies.set(name, value)
    expect((await browser.post('/auth/oidc/finish', {})).body['code']).toBe('link-unproved')

    expect((await browser.signIn(person.email)).status).toBe(200)
    const linked = await browser.post('/auth/oidc/finish', {})
    expect([linked.status, linked.body]).toEqual([200, { next: '/account' }])
    expect((await browser.post('/auth/oidc/finish', {})).body['code']).toBe('sign-in-expired')
    expect((await app.emails()).find(({ to }) => to === person.email)?.text).toContain('linked to your identity')
    const again = createBrowser(app)
    expect(await signIn(again, sub)).toBe('/account')
    expect((await me(again))?.user.id).toBe(person.userId)

    const { data } = await again.query('session.identities')
    const [{ id } = { id: '' }] = data as { id: string; issuer: string }[]
    expect(data).toEqual([{ id, issuer: idp.issuer, linkedAt: expect.any(Number) }])
    expect((await again.post('/auth/oidc/unlink', { id })).body['code']).toBe('PASSWORD_REQUIRED')
    expect((await again.post('/auth/oidc/unlink', { id, password: PASSWORD })).status).toBe(200)
    // the sessions of the identity end with it
    expect(await me(again)).toBeNull()
    expect(await signIn(createBrowser(app), sub)).toMatchObject({ step: 'link' })
  })

  test('the only way to sign in cannot be removed, and a session that is not fresh proves nothing', async () => {
    const browser = createBrowser(app)
    await signIn(browser, newPerson().sub)
    const [{ id } = { id: '' }] = (await browser.query('session.identities')).data as { id: string }[]
    expect((await browser.post('/auth/oidc/unlink', { id })).body['code']).toBe('last-way-in')
    const userId = (await me(browser))?.user.id
    await app.sql.query(`update session set created_at = now() - interval '11 minutes' where user_id = $1`, [userId])
    expect((await browser.post('/auth/oidc/unlink', { id })).body['code']).toBe('SESSION_NOT_FRESH')
    expect((await browser.post('/auth/passkey/generate-register-options', {})).body['code']).toBe('SESSION_NOT_FRESH')
  })
})

describe('rights', () => {
  test('a claim gives a staff level and takes it away at the next sign-in', async () => {
    const { sub, email } = newPerson({ groups: ['tollgate-support', 'tollgate-leads'], amr: ['pwd', 'mfa'] })
    const browser = createBrowser(app)
    await signIn(browser, sub)
    expect((await me(browser))?.staff).toBe('lead')
    expect((await browser.query('staff.tenants', {})).status).not.toBe(403)
    idp.people.set(sub, { email, email_verified: true, groups: ['others'] })
    const second = createBrowser(app)
    await signIn(second, sub)
    expect((await me(second))?.staff).toBeNull()
    // the sessions with the former rights have ended
    expect(await me(browser)).toBeNull()
    const userId = (await me(second))?.user.id
    const rows = await app.rows(
      `select actor_type::text, actor_id, before->>'level' as before, after->>'level' as after
       from audit_event where action = 'staff.appoint' and target = $1 order by seq`,
      [userId],
    )
    const by = { actor_type: 'oidc', actor_id: idp.issuer }
    expect(rows).toEqual([
      { ...by, before: null, after: 'lead' },
      { ...by, before: 'lead', after: null },
    ])
    const lead = await makeStaff(app, 'lead')
    expect((await lead.query('staff.audit', { limit: 50 })).status).toBe(200)
  })

  test('a tenant that requires two factors accepts two factors of the provider, for that session', async () => {
    const { tenant, owner } = await makeOwnedTenant(app)
    const { sub } = newPerson({ amr: ['pwd', 'mfa'] })
    const browser = createBrowser(app)
    await signIn(browser, sub)
    const userId = (await me(browser))?.user.id ?? ''
    await app.ctx.prisma.member.create({ data: { id: newId(), tenantId: tenant.id, userId, role: 'admin' } })
    await app.ctx.prisma.tenant.update({ where: { id: tenant.id }, data: { require2fa: true } })
    const list = (who: Browser) => who.query('sites.list', { tenant: tenant.slug })
    expect((await list(browser)).status).toBe(200)
    expect((await list(owner)).reason).toBe('two-factor-required')
    idp.people.set(sub, { ...idp.people.get(sub), amr: ['pwd'] })
    const single = createBrowser(app)
    await signIn(single, sub)
    expect((await list(single)).reason).toBe('two-factor-required')
  })

  test('an account with an authenticator is asked for its code, unless the provider checked two factors', async () => {
    const person = await makePerson(app)
    const { sub } = newPerson({ email: person.email })
    const browser = createBrowser(app)
    await signIn(browser, sub)
    await browser.signIn(person.email)
    await browser.post('/auth/oidc/finish', {})
    const { code } = await enableTotp(person)
    const other = createBrowser(app)
    expect(await signIn(other, sub)).toMatchObject({ step: 'code' })
    expect((await other.post('/auth/oidc/finish', {})).body['code']).toBe('CODE_REQUIRED')
    expect((await other.post('/auth/oidc/finish', { code: '000000' })).body['code']).toBe('INVALID_CODE')
    expect(await me(other)).toBeNull()
    expect((await other.post('/auth/oidc/finish', { code: await code() })).status).toBe(200)
    expect((await me(other))?.user.id).toBe(person.userId)
    idp.people.set(sub, { ...idp.people.get(sub), amr: ['mfa'] })
    expect(await signIn(createBrowser(app), sub)).toBe('/account')
  })
})

describe('back-channel logout', () => {
  const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const send = (token: string) =>
    createBrowser(app).send('POST', '/auth/oidc/logout', new URLSearchParams({ logout_token: token }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      origin: idp.issuer,
    })
  const claimsFor = (sub: string, more: Record<string, unknown> = {}) => {
    const iat = Math.floor(Date.now() / 1000)
    return { iss: idp.issuer, aud: CLIENT.id, iat, exp: iat + 120, jti: newId(), sub, events: EVENT, ...more }
  }

  test('signing out at the provider ends the sessions that it opened, and no others', async () => {
    const { sub } = newPerson()
    const [browser, elsewhere] = [createBrowser(app), createBrowser(app)]
    const cookies = new Map<string, string>()
    await browser.get(await signInAt((await start(browser)).href, sub, cookies))
    expect(await signIn(elsewhere, sub)).toBe('/account')
    const headers = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
    const page = await fetch(`${idp.issuer}/session/end`, { headers: headers() })
    for (const line of page.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(await page.text()) ?? []
    await fetch(`${idp.issuer}/session/end/confirm`, {
      method: 'POST',
      redirect: 'manual',
      headers: headers(),
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    })
    await expect.poll(() => me(browser)).toBeNull()
    expect((await me(elsewhere))?.staff).toBeNull()
  })

  test('a session stays that of the identity when it is renewed, and not when the person signs in with a password', async () => {
    const person = await makePerson(app)
    const { sub } = newPerson({ email: person.email })
    const browser = createBrowser(app)
    await signIn(browser, sub)
    await browser.signIn(person.email)
    await browser.post('/auth/oidc/finish', {})
    const origin = async () => {
      const rows = await app.rows<{ account_id: string; sid: string | null }>(
        'select account_id::text, sid from session where user_id = $1 order by created_at desc limit 1',
        [person.userId],
      )
      return rows[0]
    }
    const first = await origin()
    expect(first).toEqual({ account_id: expect.any(String), sid: expect.any(String) })
    const { code } = await enableTotp(browser)
    expect(await origin()).toEqual(first)
    const passwords = { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` }
    const changed = await browser.post('/auth/change-password', passwords)
    expect([changed.status, await origin()]).toEqual([200, first])
    const disabled = await browser.post('/auth/two-factor/disable', {
      password: passwords.newPassword,
      code: await code(),
    })
    expect([disabled.status, await origin()]).toEqual([200, first])
    expect((await send(await idp.sign(claimsFor(sub, { sub: undefined, sid: first?.sid }), 'logout+jwt'))).status).toBe(
      200,
    )
    expect(await me(browser)).toBeNull()

    await signIn(browser, sub)
    expect((await browser.signIn(person.email, passwords.newPassword)).status).toBe(200)
    expect(await origin()).toEqual({ account_id: null, sid: null })
  })

  test('a logout token counts once, for all sessions of the person', async () => {
    const { sub } = newPerson()
    const browser = createBrowser(app)
    await signIn(browser, sub)
    const token = await idp.sign(claimsFor(sub), 'logout+jwt')
    expect((await send(token)).status).toBe(200)
    expect(await me(browser)).toBeNull()
    await signIn(browser, sub)
    expect((await send(token)).status).toBe(400)
    expect((await me(browser))?.user.name).toBe('Ida Provided')
  })

  test.each([
    ['logout+jwt', 200],
    ['application/logout+jwt', 200],
    ['JWT', 200],
    [null, 200],
    ['at+jwt', 400],
    ['id_token+jwt', 400],
    ['', 400],
  ])('a logout token of the type %j is answered %d', async (typ, status) => {
    const { sub } = newPerson()
    const browser = createBrowser(app)
    await signIn(browser, sub)
    expect((await send(await idp.sign(claimsFor(sub), typ))).status).toBe(status)
    expect((await me(browser)) === null).toBe(status === 200)
  })

  test.each<[what: string, claims: (sub: string) => Record<string, unknown>]>([
    ['of another issuer', () => ({ iss: 'https://other.example' })],
    ['for another client', () => ({ aud: 'other' })],
    ['without the event', () => ({ events: {} })],
    ['without an id', () => ({ jti: undefined })],
    ['that names nobody', () => ({ sub: undefined })],
    ['that could be an identity token', () => ({ nonce: 'a' })],
    ['of ten minutes ago', () => ({ iat: Math.floor(Date.now() / 1000) - 600 })],
  ])('refuses a logout token %s', async (_what, claims) => {
    const { sub } = newPerson()
    const browser = createBrowser(app)
    await signIn(browser, sub)
    expect((await send(await idp.sign(claimsFor(sub, claims(sub))))).status).toBe(400)
    expect((await send(await idp.sign(claimsFor(sub), 'JWT', await idp.newKey()))).status).toBe(400)
    expect((await send('no token')).status).toBe(400)
    expect(await me(browser)).not.toBeNull()
  })
})

test('with PASSWORDS=off a person who has an old password proves who they are by a recent sign-in', async () => {
  const service = await openTestApp({ ...SETTINGS, PASSWORDS: 'off' })
  try {
    const { sub } = newPerson()
    const browser = createBrowser(service)
    await signIn(browser, sub, service)
    const userId = (await me(browser))?.user.id ?? ''
    await setPassword(service.ctx, userId, PASSWORD)
    await signIn(browser, sub, service)
    expect((await browser.query('session.me')).data).toMatchObject({ hasPassword: false })
    const { backupCodes } = await enableTotp(browser)
    const [first, second] = backupCodes
    await service.sql.query(`update session set created_at = now() - interval '11 minutes' where user_id = $1`, [
      userId,
    ])
    for (const path of ['two-factor/disable', 'two-factor/generate-backup-codes', 'passkey/generate-register-options'])
      expect((await browser.post(`/auth/${path}`, { password: PASSWORD, code: first })).body['code']).toBe(
        'SESSION_NOT_FRESH',
      )
    await signIn(browser, sub, service)
    expect((await browser.post('/auth/oidc/finish', { code: first })).status).toBe(200)
    expect((await browser.post('/auth/two-factor/disable', { code: second })).status).toBe(200)
  } finally {
    await service.close()
  }
})

test('PASSWORDS=off leaves the provider and passkeys; the link of staff create signs in once', async () => {
  const service = await openTestApp({ ...SETTINGS, PASSWORDS: 'off' })
  try {
    const { sub, email } = newPerson()
    const browser = createBrowser(service)
    for (const [path, body] of [
      ['/auth/sign-in/email', { email, password: PASSWORD }],
      ['/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada' }],
      ['/auth/request-password-reset', { email }],
      ['/auth/send-verification-email', { email }],
      ['/auth/reset-password', { newPassword: PASSWORD, token: 'a' }],
      ['/auth/change-password', { currentPassword: PASSWORD, newPassword: PASSWORD }],
    ] as const)
      expect([path, (await browser.post(path, body)).body['code']]).toEqual([path, 'PASSWORDS_OFF'])
    expect(await signIn(browser, sub, service)).toBe('/account')
    expect((await browser.post('/auth/passkey/generate-register-options', {})).status).toBe(200)

    const operator = admitOperator(service.ctx, 'test')
    const person = await appointStaff(operator, { email, level: 'lead' })
    const { link = '' } = await welcomePerson(operator, person)
    const token = link.split('#token=')[1]
    const back = createBrowser(service)
    expect((await back.post('/auth/oidc/link', { token })).status).toBe(200)
    expect(await me(back)).toMatchObject({ user: { email }, staff: 'lead' })
    expect((await createBrowser(service).post('/auth/oidc/link', { token })).body['code']).toBe('sign-in-expired')
    expect((await back.post('/auth/passkey/generate-register-options', {})).status).toBe(200)
  } finally {
    await service.close()
  }
  expect((await createBrowser(app).post('/auth/oidc/link', { token: 'a' })).status).toBe(404)
})
