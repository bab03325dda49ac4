import { expect, test } from 'vitest'
import { cookieHeader, createBrowser, makePerson, PASSWORD } from '../../test/support/browser.ts'
import { testApp } from '../../test/support/testApp.ts'
import { type Attempt, SIGN_IN, takeAttempt } from '../accounts/sessions/limits.ts'
import { forPerson } from './authErrors.ts'

const app = testApp()

/** Uses up the failed attempts of other networks for the account, without the hashing. */
async function exhaust(attempt: Partial<Attempt>): Promise<void> {
  for (let i = 0; i < 30; i++)
    await takeAttempt(app.ctx, {
      path: SIGN_IN,
      address: `10.9.8.${i}`,
      email: undefined,
      userId: undefined,
      known: false,
      ...attempt,
    })
}

test('answers 401 to ten wrong passwords, then 429 with Retry-After, whether or not the account exists', async () => {
  for (const email of [(await makePerson(app)).email, 'nobody@guessed.example']) {
    const guess = () =>
      createBrowser(app).post(
        '/auth/sign-in/email',
        { email: email.toUpperCase(), password: 'wrong password' },
        { 'x-forwarded-for': '10.9.9.1' },
      )
    for (let i = 0; i < 10; i++) expect((await guess()).status).toBe(401)
    const { status, headers, body } = await guess()
    expect([status, body]).toEqual([429, { error: 'rate-limited' }])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
})

test("a known browser can sign in while the account's limit is reached", async () => {
  const [person, other] = [await makePerson(app), await makePerson(app)]
  await exhaust({ email: person.email })
  const shutOut = await createBrowser(app).signIn(person.email)
  expect(shutOut.status).toBe(429)
  expect(Number(shutOut.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await person.signIn(person.email)).status).toBe(200)
  // the cookie is valid for one account
  expect((await other.signIn(person.email)).status).toBe(429)
})

test('does not limit successful sign-ins', async () => {
  const { email } = await makePerson(app)
  const signIn = () =>
    createBrowser(app).post('/auth/sign-in/email', { email, password: PASSWORD }, { 'x-forwarded-for': '10.9.9.4' })
  for (let i = 0; i < 12; i++) expect((await signIn()).status).toBe(200)
})

test('limits password attempts of a stolen session from every network', async () => {
  const person = await makePerson(app)
  await exhaust({ path: '/change-password', userId: person.userId })
  const change = { currentPassword: PASSWORD, newPassword: 'another long one' }
  expect((await person.post('/auth/change-password', change)).status).toBe(429)
})

test.each([
  ['before the session’s cookie', (own: string, i: number) => `xtollgate.session_token=${i}; ${own}`],
  ['after it', (own: string, i: number) => `${own}; tollgate.session_token=${i}`],
  ['without it', (own: string) => own],
])('a stolen session guesses at the password ten times, with a made-up cookie %s', async (_where, cookies) => {
  const person = await makePerson(app)
  const own = cookieHeader(person.cookies)
  const guess = async (i: number) => {
    const reply = await fetch(`${app.url}/auth/change-password`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: app.ctx.config.publicUrl,
        cookie: cookies(own, i),
        'x-forwarded-for': '10.9.9.77',
      },
      body: JSON.stringify({ currentPassword: `wrong guess ${i}`, newPassword: 'another long one' }),
    })
    return reply.status
  }
  const statuses = []
  for (let i = 0; i < 12; i++) statuses.push(await guess(i))
  expect(statuses.slice(10)).toEqual([429, 429])
  expect(statuses.filter((status) => status === 200)).toEqual([])
})

test('of each kind of mail together an address gets five in ten minutes', async () => {
  const { email } = await makePerson(app)
  const asked = []
  const bodies = {
    '/request-password-reset': { email },
    '/send-verification-email': { email },
    '/sign-up/email': { email, password: PASSWORD, name: 'Ada' },
  }
  for (const [path, body] of Object.entries(bodies))
    for (let i = 0; i < 2; i++) asked.push((await createBrowser(app).post(`/auth${path}`, body)).status)
  expect(asked).toEqual([200, 200, 200, 200, 200, 429])
  expect((await app.emails()).filter(({ to }) => to === email).length).toBeLessThanOrEqual(5)
})

test('signing in to an unconfirmed account sends at most five e-mails in ten minutes', async () => {
  const email = 'stranger@people.example'
  await createBrowser(app).signUp(email)
  for (let i = 0; i < 8; i++) expect((await createBrowser(app).signIn(email)).status).toBe(403)
  await expect.poll(async () => (await app.emails()).filter(({ to }) => to === email).length).toBe(5)
})

test('refuses a body that only better-auth could parse', async () => {
  const { email } = await makePerson(app)
  const reply = await createBrowser(app).post(
    '/auth/sign-in/email',
    `\ufeff${JSON.stringify({ email, password: PASSWORD })}`,
  )
  expect([reply.status, reply.body]).toEqual([400, { error: 'bad-request' }])
})

test('refused sign-ups leave the e-mails of the address, each with our sentence', async () => {
  const email = 'sixth-try@people.example'
  const signUp = (password: string) =>
    createBrowser(app).post('/auth/sign-up/email', { name: 'Ada', email, password }, { 'x-forwarded-for': '10.9.9.7' })
  for (let i = 0; i < 6; i++)
    expect(await signUp('aaaaaaaaaaaa')).toMatchObject({
      status: 400,
      body: { code: 'PASSWORD_REPEATS', message: expect.stringMatching(/^This password repeats/) },
    })
  for (let i = 0; i < 5; i++) expect((await signUp(PASSWORD)).status).toBe(200)
  expect((await signUp(PASSWORD)).status).toBe(429)
})

test('a code that is not known gets our sentence, not the one of the library', () => {
  const { message } = forPerson({ code: 'FAILED_TO_CREATE_USER', message: 'Failed to create user' } as object) as {
    message: string
  }
  expect(message).toBe('This did not work. Reload the page, then try again.')
})
