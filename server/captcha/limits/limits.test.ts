import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/support/app.ts'
import { newNonce } from '../../../test/support/client.ts'
import { makeSite } from '../../../test/support/make.ts'
import { operate } from '../../../test/support/operate.ts'
import { testApp } from '../../../test/support/testApp.ts'

const app = testApp()

const limited = { error: 'rate-limited' }

test('allows a burst of /intents, gives the next an exact Retry-After, and never limits replays', async () => {
  const site = await makeSite(app.ctx, { policy: { ratePerSecond: 2, rateBurst: 6 } })
  const nonce = newNonce()
  const first = await app.client.intent(site, { nonce })
  for (let i = 0; i < 10; i++) expect((await app.client.intent(site, { nonce })).text).toBe(first.text)
  for (let i = 0; i < 5; i++) expect((await app.client.intent(site)).status).toBe(200)
  const refused = await app.client.intent(site)
  expect([refused.status, refused.body]).toEqual([429, limited])
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThanOrEqual(1)
  expect(wait).toBeLessThanOrEqual(3)
  expect((await app.client.intent(site, { nonce })).text).toBe(first.text)
  expect((await app.sql.query('select 1 from intent where site_id = $1', [site.siteId])).rowCount).toBe(6)

  await new Promise((resolve) => setTimeout(resolve, wait * 1000))
  expect((await app.client.intent(site)).status).toBe(200)
})

test('limits /siteverify separately and never limits replays', async () => {
  const site = await makeSite(app.ctx, { policy: { ratePerSecond: 2, rateBurst: 4 } })
  const earned = await Promise.all([0, 1, 2, 3].map(() => app.client.earn(site)))
  const replies = []
  for (const values of earned) replies.push(await app.client.siteverify(site, values))
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200])
  expect(
    (await app.client.siteverify(site, { ...earned[0], intent_id: '01890000-0000-7000-8000-000000000000' })).body,
  ).toEqual(limited)
  expect((await app.client.siteverify(site, earned[0] ?? {})).text).toBe(replies[0]?.text)
})

test('limits the intents per subject in 10 minutes and does not affect others', async () => {
  const site = await makeSite(app.ctx, { policy: { subjectLimit: 3 } })
  const subject = (name: string) => createHash('sha256').update(name).digest('hex')
  for (let i = 0; i < 3; i++) expect((await app.client.intent(site, { subject: subject('a') })).status).toBe(200)
  const refused = await app.client.intent(site, { subject: subject('a') })
  expect([refused.status, refused.body]).toEqual([429, limited])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(590)
  expect((await app.client.intent(site, { subject: subject('b') })).status).toBe(200)
  expect((await app.client.intent(site)).status).toBe(200)
})

test('treats a nonce with other fields as a new request for limits and paused sites', async () => {
  const site = await makeSite(app.ctx, { policy: { ratePerSecond: 2, rateBurst: 3 } })
  const nonce = newNonce()
  const first = await app.client.intent(site, { nonce })
  const other = () => app.client.intent(site, { nonce, action: 'signup' })
  for (let i = 0; i < 2; i++) expect((await other()).body).toEqual({ error: 'nonce-conflict' })
  expect((await other()).body).toEqual(limited)
  expect((await app.client.intent(site, { nonce })).text).toBe(first.text)

  const paused = await makeSite(app.ctx)
  await app.client.intent(paused, { nonce })
  await operate(app).pauseSite(paused, true)
  expect((await app.client.intent(paused, { nonce, action: 'signup' })).body).toEqual({ error: 'site-disabled' })
})

test("a refused request does not count towards its subject's limit", async () => {
  const site = await makeSite(app.ctx, { policy: { subjectLimit: 1 } })
  const subject = createHash('sha256').update('refused').digest('hex')
  const refused = await app.client.intent(site, {
    subject,
    session: subject,
    trusted_grant_id: '01890000-0000-7000-8000-000000000000',
  })
  expect(refused.body).toEqual({ error: 'grant-invalid' })
  expect((await app.client.intent(site, { subject })).status).toBe(200)
  expect((await app.client.intent(site, { subject })).body).toEqual(limited)
})

const UNKNOWN = '01890000-0000-7000-8000-000000000000'

test.each([
  ['an IPv4 address', '192.0.2.7', '192.0.2.7', '192.0.2.8'],
  ['an IPv6 /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
  ['an IPv4 address in IPv6', '::ffff:192.0.2.9', '192.0.2.9', '192.0.2.10'],
  ['an IPv4 address with a port', '192.0.2.11:51234', '192.0.2.11:51235', '192.0.2.12:51234'],
  ['an IPv4 address through NAT64', '64:ff9b::c000:20d', '192.0.2.13', '64:ff9b::c000:20e'],
])(
  '%s may ask for 60 unknown intents in a minute, which takes nothing from its visitors',
  async (_what, address, same, other) => {
    const site = await makeSite(app.ctx)
    const { body } = await app.client.intent(site)
    const ask = (intent: unknown, from: string) => app.client.challenge(site, intent, { address: from })
    for (let i = 0; i < 60; i++) expect((await ask(UNKNOWN, address)).status).toBe(422)
    const refused = await ask(UNKNOWN, same)
    expect([refused.status, refused.body]).toEqual([429, limited])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(refused.headers.get('access-control-expose-headers')).toMatch(/retry-after/)
    expect((await ask(UNKNOWN, other)).status).toBe(422)
    expect((await ask(body['intent_id'], same)).status).toBe(200)
  },
)

test('a visitor passes beside wrong solutions of the same network, which are limited to the same number', async () => {
  const site = await makeSite(app.ctx, { policy: { networkLimit: 3 } })
  const address = '192.0.2.30'
  const solveWrongly = async () => {
    const intent_id = String((await app.client.intent(site)).body['intent_id'])
    const { challenge } = (await app.client.challenge(site, intent_id, { address })).body
    return (await app.client.solve(site, { intent_id, challenge, solution: 'AAAA' }, { address })).body
  }
  const wrong = { error: 'solution-invalid' }
  const replies = []
  for (let i = 0; i < 4; i++) replies.push(await solveWrongly())
  expect(replies).toEqual([wrong, wrong, wrong, limited])
  const earned = await app.client.earn(site, {}, { address })
  expect((await app.client.siteverify(site, earned)).body['success']).toBe(true)
})

test('requests about one intent are limited, for its own visitor only', async () => {
  const site = await makeSite(app.ctx)
  const [one, other] = [await app.client.intent(site), await app.client.intent(site)]
  const ask = async ({ body }: typeof one, n: number) =>
    (await app.client.challenge(site, body['intent_id'], { address: `198.51.100.${n}` })).status
  const statuses = []
  for (let i = 0; i < 121; i++) statuses.push(await ask(one, i))
  expect(statuses).toEqual([...Array.from({ length: 120 }, () => 200), 429])
  expect(await ask(other, 121)).toBe(200)
})

test('refuses an address after 30 wrong secrets a minute; a secret that has worked before still works', async () => {
  const site = await makeSite(app.ctx)
  const knock = (secret: string) =>
    app.client.post(
      '/intents',
      { action: 'a', nonce: newNonce(), hostname: 'shop.example' },
      { authorization: `Bearer ${secret}`, 'x-forwarded-for': '192.0.2.99' },
    )
  expect((await knock(site.secret)).status).toBe(200)
  for (let i = 0; i < 30; i++) expect((await knock('tg_secret_wrong')).status).toBe(401)
  const refused = await knock('tg_secret_wrong')
  expect([refused.status, refused.body]).toEqual([429, limited])
  expect((await knock(site.secret)).status).toBe(200)
  // even when nothing is cached any more
  app.ctx.invalidations.publish(site.tenantId)
  expect((await knock(site.secret)).status).toBe(200)
})

test('limits what yields nothing by the site’s policy, for each network', async () => {
  const site = await makeSite(app.ctx, { policy: { networkLimit: 3 } })
  const ask = (address: string) => app.client.challenge(site, UNKNOWN, { address })
  for (let i = 0; i < 3; i++) expect((await ask('192.0.2.20')).status).toBe(422)
  expect((await ask('192.0.2.20')).body).toEqual(limited)
  expect((await ask('192.0.2.21')).status).toBe(422)
})

test('ignores X-Forwarded-For from a peer that is not a trusted proxy', async () => {
  const direct = await openTestApp({ TRUSTED_PROXIES: '192.0.2.1' })
  try {
    const site = await makeSite(direct.ctx)
    for (let i = 0; i < 60; i++) await direct.client.challenge(site, UNKNOWN)
    expect((await direct.client.challenge(site, UNKNOWN)).status).toBe(429)
    expect(direct.logged.filter((line) => line.includes('which TRUSTED_PROXIES does not list'))).toHaveLength(1)
  } finally {
    await direct.close()
  }
})
