import { serializeSignedCookie } from 'better-call'
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { type Browser, createBrowser, makePerson } from '../../test/support/browser.ts'
import { enableTotp } from '../../test/support/totp.ts'
import { authOf } from '../accounts/sessions/auth.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

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
