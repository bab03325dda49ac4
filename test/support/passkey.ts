import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { newId } from '../../server/kit/crypto/ids.ts'
import type { TestApp } from './app.ts'
import { type Browser, createBrowser, type SignedIn } from './browser.ts'

export const USER_PRESENT = 0x01
export const USER_VERIFIED = 0x04
const ATTESTED = 0x40

const text = (bytes: Buffer) => bytes.toString('base64url')

/** The client data of a ceremony. */
const clientDataOf = ({ ctx }: Pick<TestApp, 'ctx'>, type: 'get' | 'create', challenge: string): Buffer =>
  Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin: ctx.config.publicUrl, crossOrigin: false }))

const rpHash = createHash('sha256').update('localhost').digest()

/** A security key in software. `sign`: its answer to the challenge of a sign-in. */
function createKey(app: Pick<TestApp, 'ctx'>) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE: kty EC2, alg ES256, crv P-256, x, y
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const id = randomBytes(16)
  const base = { id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {} }
  return {
    id: text(id),
    cose,
    sign(challenge: string, flags: number) {
      const clientData = clientDataOf(app, 'get', challenge)
      const authenticatorData = Buffer.concat([rpHash, Buffer.from([flags, 0, 0, 0, 0])])
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
      return {
        ...base,
        response: {
          clientDataJSON: text(clientData),
          authenticatorData: text(authenticatorData),
          signature: text(sign('sha256', signed, privateKey)),
        },
      }
    },
    attest(challenge: string) {
      const authData = Buffer.concat([
        rpHash,
        Buffer.from([USER_PRESENT | USER_VERIFIED | ATTESTED, 0, 0, 0, 0]),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose,
      ])
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes of one length byte}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, authData.length]),
        authData,
      ])
      return {
        ...base,
        response: {
          clientDataJSON: text(clientDataOf(app, 'create', challenge)),
          attestationObject: text(attestation),
          transports: ['usb'],
        },
      }
    },
  }
}

export type Passkey = ReturnType<typeof createKey>

/** A passkey in software, inserted into the table. */
export async function makePasskey(
  app: Pick<TestApp, 'ctx' | 'sql'>,
  { userId }: Pick<SignedIn, 'userId'>,
): Promise<Passkey> {
  const key = createKey(app)
  await app.sql.query(
    `insert into passkey (id, user_id, public_key, credential_id, counter, device_type, backed_up)
     values ($1, $2, $3, $4, 0, 'singleDevice', false)`,
    [newId(), userId, key.cose.toString('base64'), key.id],
  )
  return key
}

/** Registers a passkey as the console does. `extra` fields go into the last request. */
export async function registerPasskey(
  app: Pick<TestApp, 'ctx'>,
  browser: Browser,
  { password, code, ...extra }: { password: string; code?: string; createSession?: boolean },
) {
  const options = await browser.post('/auth/passkey/generate-register-options', { password, ...(code && { code }) })
  const passkey = createKey(app)
  const response = passkey.attest(String(options.body['challenge']))
  const reply = await browser.post('/auth/passkey/verify-registration', { response, name: 'Key', ...extra })
  return { passkey, reply }
}

/** Signs in with the passkey in a new browser. */
export async function signInWithPasskey(
  app: Pick<TestApp, 'url' | 'ctx'>,
  passkey: Passkey,
  flags = USER_PRESENT | USER_VERIFIED,
) {
  const browser = createBrowser(app)
  const { body } = await browser.get('/auth/passkey/generate-authenticate-options')
  const response = passkey.sign(String(body['challenge']), flags)
  return { browser, reply: await browser.post('/auth/passkey/verify-authentication', { response }) }
}
