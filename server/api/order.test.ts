import { expect, test } from 'vitest'
import { newNonce } from '../../test/support/client.ts'
import { testApp, testSite } from '../../test/support/testApp.ts'

/** The first invalid field in the order of the contract's tables is reported; unknown fields come last. */

const app = testApp()
const site = testSite(app)

const HMAC = 'a'.repeat(64)
const UUID = '01890000-0000-7000-8000-000000000000'
const intent = () => ({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example' })

test.each([
  [
    'a valid grant without a session, and an unknown field',
    '/intents',
    () => ({ extra: 1, ...intent(), trusted_grant_id: UUID }),
    'extra',
  ],
  [
    'a bad subject, and a grant without a session',
    '/intents',
    () => ({ ...intent(), subject: 'x', trusted_grant_id: UUID }),
    'subject',
  ],
  ['a bad grant without a session', '/intents', () => ({ ...intent(), trusted_grant_id: 'x' }), 'trusted_grant_id'],
  [
    'a bad nonce, and a hostname that is not allowed',
    '/intents',
    () => ({ ...intent(), nonce: 'x', hostname: 'evil.example' }),
    'nonce',
  ],
  [
    'a hostname that is not allowed, and a bad session',
    '/intents',
    () => ({ ...intent(), session: 'x', hostname: 'evil.example' }),
    'hostname',
  ],
  ['neither of two, and an unknown field', '/grants/revoke', () => ({ extra: 1 }), 'grant_id'],
  [
    'both of two, and an unknown field',
    '/grants/revoke',
    () => ({ extra: 1, session: HMAC, grant_id: UUID }),
    'session',
  ],
  ['both of two, the first one bad', '/grants/revoke', () => ({ session: HMAC, grant_id: 'x' }), 'grant_id'],
  [
    'a solution that is not base64url, and an unknown field',
    '/solve',
    () => ({ extra: 1, sitekey: site.sitekey, intent_id: UUID, challenge: 'AAAA', solution: 'AAB' }),
    'solution',
  ],
] as const)('%s', async (_what, path, body, field) => {
  const reply = await app.client.post(path, body(), {
    authorization: `Bearer ${site.secret}`,
    origin: 'https://shop.example',
  })
  expect([reply.status, reply.body]).toEqual([422, { error: 'bad-request', field }])
})

test.each([
  ['one character', 'A'],
  ['five characters', 'AAAAA'],
  ['spare bits in the last of two', 'AB'],
  ['spare bits in the last of three', 'AAB'],
])('a solution of %s is not canonical', async (_what, solution) => {
  const body = { sitekey: site.sitekey, intent_id: UUID, challenge: 'AAAA', solution }
  const reply = await app.client.post('/solve', body, { origin: 'https://shop.example' })
  expect(reply.body).toEqual({ error: 'bad-request', field: 'solution' })
})

async function ask(kinds: unknown) {
  const { body } = await app.client.intent(site)
  const fields = { sitekey: site.sitekey, intent_id: body['intent_id'], kinds }
  return app.client.post('/challenge', fields, { origin: 'https://shop.example' })
}

test.each([[['pow-sha256']], [['pow-hashwx', 'pow-sha256']], [['pow-sha256', 'pow-of-tomorrow', 'pow-sha256', '']]])(
  'a client that can solve %j gets pow-sha256',
  async (kinds) => {
    const reply = await ask(kinds)
    expect([reply.status, reply.body['kind']]).toEqual([200, 'pow-sha256'])
  },
)

test.each([[[]], [['pow-of-tomorrow']], [['pow-hashwx']], ['pow-sha256'], [null], [[1]], [['pow-sha256', null]], [{}]])(
  'refuses kinds of %j, which are invalid or contain none that the service has',
  async (kinds) => {
    const reply = await ask(kinds)
    expect([reply.status, reply.body]).toEqual([422, { error: 'bad-request', field: 'kinds' }])
  },
)
