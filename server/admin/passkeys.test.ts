import { expect, test } from 'vitest'
import { makePerson, PASSWORD } from '../../test/support/browser.ts'
import { makePasskey, signInWithPasskey, USER_PRESENT } from '../../test/support/passkey.ts'
import { makeMember, makeTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import { enableTotp } from '../../test/support/totp.ts'

const app = testApp()

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
