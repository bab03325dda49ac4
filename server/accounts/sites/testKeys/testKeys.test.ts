import { expect, test } from 'vitest'
import { openOwnApp } from '../../../../test/support/app.ts'
import { newNonce } from '../../../../test/support/client.ts'
import { testApp } from '../../../../test/support/testApp.ts'
import { TEST_BEHAVIOURS, testSitekey } from './behaviour.ts'
import { testSecret } from './ensure.ts'

const app = testApp()

const keysOf = (name: string) => {
  const behaviour = TEST_BEHAVIOURS.find((candidate) => candidate.name === name)
  if (!behaviour) throw new Error(`no test key ${name}`)
  return { sitekey: testSitekey(behaviour), secret: testSecret(behaviour) }
}
const fields = { hostname: 'localhost' }
const from = { origin: 'http://localhost:3001' }

async function begin(keys: { sitekey: string; secret: string }) {
  const intent = await app.client.intent(keys, fields)
  const challenge = await app.client.challenge(keys, intent.body['intent_id'], from)
  return { intent, challenge }
}

test('the published keys have the format and checksum of real ones', () => {
  expect(keysOf('TESTpass')).toEqual({
    sitekey: 'tg_site_TESTpass000000000000',
    secret: expect.stringMatching(/^tg_secret_TESTpass00000000000000000000000000000000000[0-9A-Za-z]{6}$/),
  })
})

test('TESTpass passes on any hostname with minimal difficulty and is never billed', async () => {
  const keys = keysOf('TESTpass')
  const earned = await app.client.earn(keys, fields, from)
  expect((await app.client.siteverify(keys, earned)).status).toBe(200)
  expect(await app.rows('select charged_to from decision where id = $1', [earned['intent_id']])).toEqual([
    { charged_to: 'test' },
  ])
  expect(await app.rows('select coalesce(sum(used), 0)::int as used from quota_period')).toEqual([{ used: 0 }])
})

test('what is noticed about a client does not change the difficulty of a test key', async () => {
  const keys = keysOf('TESTpass')
  const intent = await app.client.intent(keys, fields)
  const ask = async (headers: Record<string, string>) =>
    (await app.client.challenge(keys, intent.body['intent_id'], { ...from, headers })).body['target']
  expect(await ask({ 'user-agent': 'curl/8.5.0', 'svc-captcha-facts': 'webdriver' })).toBe(await ask({}))
})

test('TESThard requires several seconds of work', async () => {
  const { challenge } = await begin(keysOf('TESThard'))
  expect((Number(challenge.body['count']) * 2 ** 32) / Number(challenge.body['target'])).toBeGreaterThan(10_000_000)
})

test.each([
  ['TESTspent', 409, 'already-redeemed'],
  ['TESTexpired', 409, 'intent-expired'],
  ['TESTquota', 402, 'quota-exceeded'],
  ['TESTdown', 503, 'unavailable'],
])('%s is always answered %i %s at /siteverify', async (name, status, code) => {
  const keys = keysOf(name)
  const earned = await app.client.earn(keys, fields, from)
  for (let i = 0; i < 2; i++) {
    const reply = await app.client.siteverify(keys, earned)
    expect([reply.status, reply.body]).toEqual([status, { error: code }])
    expect(reply.headers.get('retry-after')).toBe(status === 503 ? '1' : null)
  }
})

test('TESTfail fails at /solve, however often', async () => {
  const keys = keysOf('TESTfail')
  const { intent, challenge } = await begin(keys)
  for (let i = 0; i < 12; i++) {
    const reply = await app.client.solve(
      keys,
      { intent_id: intent.body['intent_id'], challenge: challenge.body['challenge'], solution: 'AAAA' },
      from,
    )
    expect([reply.status, reply.body]).toEqual([422, { error: 'solution-invalid' }])
  }
})

test('TESTlimit is limited at /intents', async () => {
  const reply = await app.client.intent(keysOf('TESTlimit'), fields)
  expect([reply.status, reply.body, reply.headers.get('retry-after')]).toEqual([429, { error: 'rate-limited' }, '1'])
})

test('limits test keys per client network for all test sites together, without counting repetitions', async () => {
  const strict = await openOwnApp({ DATABASE_URL: app.databaseUrl, TEST_KEYS_PER_MINUTE: '5' })
  const open = (name: string, address: string, nonce = newNonce()) =>
    strict.client.post(
      '/intents',
      { action: 'a', nonce, hostname: 'localhost' },
      { authorization: `Bearer ${keysOf(name).secret}`, 'x-forwarded-for': address },
    )
  const nonce = newNonce()
  const first = await open('TESTpass', '192.0.2.1', nonce)
  for (let i = 0; i < 10; i++) expect((await open('TESTpass', '192.0.2.1', nonce)).text).toBe(first.text)
  for (const name of ['TESTpass', 'TESThard', 'TESTspent', 'TESTquota'])
    expect((await open(name, '192.0.2.1')).status).toBe(200)
  const refused = await open('TESTdown', '192.0.2.1')
  expect([refused.status, refused.body]).toEqual([429, { error: 'rate-limited' }])
  expect((await open('TESTpass', '192.0.2.2')).status).toBe(200)
  const visit = (address: string) =>
    strict.client.challenge(keysOf('TESTpass'), first.body['intent_id'], { ...from, address })
  for (let i = 0; i < 5; i++) expect((await visit('192.0.2.3')).status).toBe(200)
  expect((await visit('192.0.2.3')).status).toBe(429)
  expect((await visit('192.0.2.4')).status).toBe(200)
})

test('limits the calls per second of each test site', async () => {
  const strict = await openOwnApp({ DATABASE_URL: app.databaseUrl, TEST_KEYS_PER_SECOND: '2' })
  const open = (address: string) =>
    strict.client.post(
      '/intents',
      { action: 'a', nonce: newNonce(), hostname: 'localhost' },
      { authorization: `Bearer ${keysOf('TESTpass').secret}`, 'x-forwarded-for': address },
    )
  const began = performance.now()
  const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => open(`192.0.2.${i + 1}`)))
  const opened = replies.filter(({ status }) => status === 200).length
  expect(opened).toBeGreaterThanOrEqual(2)
  // two in each elapsed second
  expect(opened).toBeLessThanOrEqual(2 * (1 + Math.ceil((performance.now() - began) / 1000)))
  expect(replies.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1')
})

test('treats test keys as unknown with TEST_KEYS=off', async () => {
  const off = await openOwnApp({ DATABASE_URL: app.databaseUrl, TEST_KEYS: 'off' })
  const keys = keysOf('TESTpass')
  expect((await off.client.intent(keys, fields)).status).toBe(401)
  expect((await off.client.challenge(keys, '01890000-0000-7000-8000-000000000000', from)).body).toEqual({
    error: 'bad-request',
    field: 'sitekey',
  })
})
