import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { createBrowser, makePerson, type SignedIn } from '../../test/support/browser.ts'
import { makeMember, makeTenant } from '../../test/support/tenant.ts'
import { enableTotp } from '../../test/support/totp.ts'
import { newId } from '../kit/ids.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04

/** A registered security key in software, with or without user verification. */
async function makePasskey({ userId }: Pick<SignedIn, 'userId'>) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE: kty EC2, alg ES256, crv P-256, x, y
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const id = randomBytes(16).toString('base64url')
  await app.sql.query(
    `insert into passkey (id, user_id, public_key, credential_id, counter, device_type, backed_up)
     values ($1, $2, $3, $4, 0, 'singleDevice', false)`,
    [newId(), userId, cose.toString('base64'), id],
  )
  return (challenge: string, flags: number) => {
    const clientData = Buffer.from(
      JSON.stringify({ type: 'webauthn.get', challenge, origin: app.ctx.config.publicUrl, crossOrigin: false }),
    )
    const authenticatorData = Buffer.concat([
      createHash('sha256').update('localhost').digest(),
      Buffer.from([flags, 0, 0, 0, 0]),
    ])
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
    const text = (bytes: Buffer) => bytes.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authenticatorData),
        signature: text(sign('sha256', signed, privateKey)),
      },
    }
  }
}

type Passkey = Awaited<ReturnType<typeof makePasskey>>

async function signInWith(passkey: Passkey, flags: number) {
  const browser = createBrowser(app)
  const { body } = await browser.get('/auth/passkey/generate-authenticate-options')
  const response = passkey(String(body['challenge']), flags)
  return { browser, reply: await browser.post('/auth/passkey/verify-authentication', { response }) }
}

test('a passkey signs in only with user verification', async () => {
  const person = await makePerson(app)
  const passkey = await makePasskey(person)
  const found = await signInWith(passkey, USER_PRESENT)
  expect(found.reply.status).toBe(401)
  expect((await found.browser.query('session.me')).data).toBeNull()
  const own = await signInWith(passkey, USER_PRESENT | USER_VERIFIED)
  expect(own.reply.status).toBe(200)
  expect((await own.browser.query('session.me')).data).toMatchObject({ user: { email: person.email } })
})

test('if a second factor is required, a passkey does not replace the authenticator', async () => {
  const tenant = await makeTenant(app)
  await app.sql.query('update tenant set require_2fa = true where id = $1', [tenant.id])
  const person = await makeMember(app, tenant, 'viewer')
  const passkey = await makePasskey(person)
  const enter = async () => {
    const { browser } = await signInWith(passkey, USER_PRESENT | USER_VERIFIED)
    return browser.query('tenants.get', { tenant: tenant.slug })
  }
  expect(await enter()).toMatchObject({ code: 'FORBIDDEN', reason: 'two-factor-required' })
  await enableTotp(person)
  expect((await enter()).status).toBe(200)
})

test('registering a passkey requires user verification', async () => {
  const person = await makePerson(app)
  const { body } = await person.get('/auth/passkey/generate-register-options')
  expect(body).toMatchObject({ authenticatorSelection: { userVerification: 'required' } })
})
