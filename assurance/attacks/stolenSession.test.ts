import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { createBrowser, mailedToken, makePerson, type SignedIn } from '../../test/support/browser.ts'
import { makePasskey } from '../../test/support/passkey.ts'
import { enableTotp } from '../../test/support/totp.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** Every endpoint of better-auth, also those that the service does not open, with all fields that they read. */
const ENDPOINTS = readFileSync('server/admin/authSurface.txt', 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [, method = '', path = '', fields = ''] = /^\w+ +(GET|POST) (\S+) ?(.*)$/.exec(line) ?? []
    // signing out ends the session that the attack has
    return method === '' || path === '/sign-out' ? [] : [{ method, path, fields: fields.split(' ').filter(Boolean) }]
  })

/** What an attacker would write into a field to gain something; the other fields get a text. */
const WISHES: Readonly<Record<string, unknown>> = {
  email: 'eve@attacker.example',
  newEmail: 'eve@attacker.example',
  password: 'a guess of the password',
  currentPassword: 'a guess of the password',
  newPassword: 'what the attacker would like',
  callbackURL: 'https://attacker.example/',
  redirectTo: 'https://attacker.example/',
  code: '000000',
  createSession: true,
  disableSession: true,
  trustDevice: true,
  rememberMe: true,
  response: { id: { not: '' }, rawId: 'x', type: 'public-key', response: {} },
}

const TEXT = 'attacker'

/** The values that a field is tried with: the attacker's wish, and operators of the database layer. */
const VARIANTS: readonly ((field: string) => unknown)[] = [
  (field) => WISHES[field] ?? TEXT,
  (field) => (typeof WISHES[field] === 'boolean' ? WISHES[field] : { set: TEXT, not: '', contains: '' }),
]

/** How the person signs in, and where. */
async function accessOf(person: SignedIn) {
  const rows = async (statement: string) => (await app.sql.query(statement, [person.userId])).rows
  return {
    address: await rows('select email, email_verified, two_factor_enabled from "user" where id = $1'),
    passwords: await rows('select id, provider_id, password from account where user_id = $1 order by id'),
    passkeys: await rows('select id from passkey where user_id = $1 order by id'),
    authenticators: await rows('select id, secret, verified from two_factor where user_id = $1 order by id'),
    sessions: await rows('select id, created_at from session where user_id = $1 order by id'),
  }
}

test('with a stolen fresh session, no endpoint of the library changes how the person signs in', async () => {
  const person = await makePerson(app)
  await makePasskey(app, person)
  await enableTotp(person)
  const before = await accessOf(person)
  // which the session can read
  const id: unknown = before.passkeys[0]?.['id']
  expect(id).toBeTypeOf('string')
  const attacker = createBrowser(app)
  for (const [name, value] of person.cookies) attacker.cookies.set(name, value)

  const answers: number[] = []
  for (const { method, path, fields } of ENDPOINTS)
    for (const valueOf of VARIANTS) {
      const names = fields.filter((field) => !/[.*]/.test(field))
      const body = Object.fromEntries(
        names.map((field) => [field, field === 'id' && valueOf === VARIANTS[0] ? id : valueOf(field)]),
      )
      // one field at a time too, because a schema refuses all of them for one
      for (const sent of [body, ...names.map((field) => ({ [field]: body[field] })), {}]) {
        const url = `/auth${path.replace(/:\w+/, TEXT)}`
        const { status } = method === 'GET' ? await attacker.get(url) : await attacker.post(url, sent)
        answers.push(status)
      }
    }
  expect(answers.length).toBeGreaterThan(200)
  expect(answers.filter((status) => status >= 500)).toEqual([])
  expect(await accessOf(person)).toEqual(before)
})

test('after the person resets the password, nothing of the attacker is left', async () => {
  const person = await makePerson(app)
  const attacker = createBrowser(app)
  for (const [name, value] of person.cookies) attacker.cookies.set(name, value)
  expect((await attacker.query('session.me')).data).not.toBeNull()

  const browser = createBrowser(app)
  await browser.post('/auth/request-password-reset', { email: person.email })
  const token = await mailedToken(app, person.email)
  expect((await browser.post('/auth/reset-password', { token, newPassword: 'quite another long one' })).status).toBe(
    200,
  )
  expect((await attacker.query('session.me')).data).toBeNull()
  expect((await accessOf(person)).sessions).toEqual([])
})
