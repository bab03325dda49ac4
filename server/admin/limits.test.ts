import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { createBrowser, makePerson, PASSWORD } from '../testing/browser.ts'
import { enableTotp } from '../testing/totp.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const guess = (email: string, address: string, browser = createBrowser(app)) =>
  browser.post('/auth/sign-in/email', { email, password: 'wrong password' }, { 'x-forwarded-for': address })

/** As many wrong passwords at once; how many were looked at. */
async function guessMany(count: number, email: (i: number) => string, address: (i: number) => string) {
  const replies = await Promise.all(Array.from({ length: count }, (_, i) => guess(email(i), address(i))))
  for (const { status, headers, body } of replies) {
    if (status === 401) continue
    expect({ status, body }).toEqual({ status: 429, body: { error: 'rate-limited' } })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  return replies.filter(({ status }) => status === 401).length
}

test('from one network an account is guessed at ten times and no more, whether there is one or not', async () => {
  const { email } = await makePerson(app)
  expect(
    await guessMany(
      12,
      () => email,
      () => '10.9.9.1',
    ),
  ).toBe(10)
  expect(
    await guessMany(
      12,
      () => 'nobody@guessed.example',
      () => '10.9.9.2',
    ),
  ).toBe(10)
  expect(
    await guessMany(
      12,
      () => 'v6@guessed.example',
      (i) => `2001:db8::${i + 1}`,
    ),
  ).toBe(10)
  expect((await createBrowser(app).signIn(email)).status).toBe(200)
})

test('from one network all accounts together are guessed at thirty times', async () => {
  expect(
    await guessMany(
      40,
      (i) => `p${i}@guessed.example`,
      () => '10.9.9.3',
    ),
  ).toBe(30)
})

test('an account is guessed at thirty times a minute from everywhere, and its person gets in meanwhile', async () => {
  const person = await makePerson(app)
  expect(
    await guessMany(
      40,
      () => person.email,
      (i) => `10.9.8.${i}`,
    ),
  ).toBe(30)
  const elsewhere = createBrowser(app)
  const shutOut = await elsewhere.signIn(person.email)
  expect(shutOut.status).toBe(429)
  expect(Number(shutOut.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await person.signIn(person.email)).status).toBe(200)
  // the mark is of one account, and buys ten tries
  const other = await makePerson(app)
  expect((await other.signIn(person.email)).status).toBe(429)
  const tries = []
  for (let i = 0; i < 11; i++) tries.push((await guess(person.email, `10.9.7.${i}`, person)).status)
  expect(tries).toEqual([...Array.from({ length: 10 }, () => 401), 429])
})

test('signing in as often as one likes is no guessing', async () => {
  const { email } = await makePerson(app)
  for (let i = 0; i < 12; i++) {
    const reply = await createBrowser(app).post(
      '/auth/sign-in/email',
      { email, password: PASSWORD },
      { 'x-forwarded-for': '10.9.9.4' },
    )
    expect(reply.status).toBe(200)
  }
})

test('a password is guessed ten times by a stolen session, wherever it comes from and whatever else it sends', async () => {
  const person = await makePerson(app)
  const tries = []
  for (let i = 0; i < 11; i++)
    tries.push((await person.post('/auth/two-factor/enable', { password: 'wrong', email: `${i}@x.example` })).status)
  expect(tries.slice(0, 10)).not.toContain(429)
  // thirty a minute from everywhere
  const more = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      person.post('/auth/change-password', { i, currentPassword: 'wrong', newPassword: PASSWORD }),
    ),
  )
  expect(more.filter(({ status }) => status !== 429)).toHaveLength(19)
})

test('of each kind of mail together an address gets five in ten minutes', async () => {
  const { email } = await makePerson(app)
  const asked = []
  for (const path of ['/request-password-reset', '/send-verification-email', '/sign-up/email'])
    for (let i = 0; i < 2; i++)
      asked.push((await createBrowser(app).post(`/auth${path}`, { email, password: PASSWORD, name: 'Ada' })).status)
  expect(asked).toEqual([200, 200, 200, 200, 200, 429])
  expect(app.ctx.mail.captured().filter(({ to }) => to === email).length).toBeLessThanOrEqual(5)
})

test('a network signs up twenty addresses in ten minutes', async () => {
  const replies = await Promise.all(
    Array.from({ length: 22 }, (_, i) =>
      createBrowser(app).post(
        '/auth/sign-up/email',
        { email: `many${i}@people.example`, password: 'short', name: 'Ada' },
        { 'x-forwarded-for': '10.9.9.5' },
      ),
    ),
  )
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(2)
})

test('ten wrong codes lock a second factor for ten minutes, also for the right one', async () => {
  const person = await makePerson(app)
  const { code } = await enableTotp(person)
  const challenged = async () => {
    const browser = createBrowser(app)
    await browser.signIn(person.email)
    return browser
  }
  for (let i = 0; i < 2; i++) {
    const guesser = await challenged()
    for (let j = 0; j < 5; j++)
      expect((await guesser.post('/auth/two-factor/verify-totp', { code: '000000' })).status).toBe(401)
  }
  const late = await challenged()
  const locked = await late.post('/auth/two-factor/verify-totp', { code: await code() })
  expect(locked.status).toBe(429)
  expect(locked.headers.get('retry-after')).toBe('600')
  await app.sql.query("update two_factor set locked_until = now() - interval '1 s' where user_id = $1", [person.userId])
  expect((await late.post('/auth/two-factor/verify-totp', { code: await code() })).status).toBe(200)
})

test('a body that only better-auth could read is no way around the limits', async () => {
  const { email } = await makePerson(app)
  const reply = await createBrowser(app).post(
    '/auth/sign-in/email',
    `\ufeff${JSON.stringify({ email, password: PASSWORD })}`,
  )
  expect([reply.status, reply.body]).toEqual([400, { error: 'bad-request' }])
})
