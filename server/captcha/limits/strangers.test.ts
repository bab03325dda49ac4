import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/support/app.ts'
import { newNonce } from '../../../test/support/client.ts'
import { makeSite } from '../../../test/support/make.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'
import { newSecretKey, newSitekey } from '../../accounts/sites/keys.ts'
import { siteOfSecret, siteOfSitekey } from '../../accounts/sites/strangers.ts'
import { ClientAddress } from '../../kit/http/client.ts'

/** Look-ups caused by callers without a secret are counted; past the limit no statement runs. */

const app = testApp()
const site = testSite(app)

const UNKNOWN = '01890000-0000-7000-8000-000000000000'
/** Where an array of PostgreSQL's binary format has its length. */
const LENGTH_AT = 12
let hosts = 0
const newAddress = () => `198.51.100.${(hosts += 1)}`

/** Sends `n` requests, `together` at once; returns the number of each status, and of the keys looked up. */
async function flood(n: number, ask: () => Promise<{ status: number }>, together = 10) {
  const statements = vi.spyOn(app.ctx.hotPool, 'query').mockClear()
  const replies: { status: number }[] = []
  while (replies.length < n) replies.push(...(await Promise.all(Array.from({ length: together }, ask))))
  // refusals are recorded after the answer
  await new Promise((resolve) => setImmediate(resolve))
  const statuses: Record<number, number> = {}
  for (const { status } of replies) statuses[status] = (statuses[status] ?? 0) + 1
  const lookUps = statements.mock.calls
    .filter(([{ name }]) => /^(site_|find_intents)/.test(name))
    .reduce((sum, [, [column]]) => sum + (column as Buffer).readInt32BE(LENGTH_AT), 0)
  return { statuses, lookUps }
}

test('refuses unknown site keys after 60 a minute without a look-up; a cached known one still works', async () => {
  const address = newAddress()
  const { body } = await app.client.intent(site)
  const ask = () => app.client.challenge({ ...site, sitekey: newSitekey() }, UNKNOWN, { address })
  const first = await flood(100, ask)
  expect(first.statuses).toEqual({ 422: 60, 429: 40 })
  expect(first.lookUps).toBe(60)
  expect(await flood(20, ask)).toEqual({ statuses: { 429: 20 }, lookUps: 0 })
  await app.client.challenge(site, body['intent_id'])
  expect((await app.client.challenge(site, body['intent_id'], { address })).status).toBe(200)
  // other visitors are not affected
  expect((await app.client.challenge({ ...site, sitekey: newSitekey() }, UNKNOWN)).status).toBe(422)
})

test('does not count known site keys, cached or not', async () => {
  const address = newAddress()
  const sites = [await makeSite(app.ctx), await makeSite(app.ctx), await makeSite(app.ctx)]
  for (let i = 0; i < 25; i++) {
    for (const one of sites) {
      app.ctx.invalidations.publish(one.tenantId)
      expect((await app.client.challenge(one, UNKNOWN, { address })).body).toEqual({
        error: 'bad-request',
        field: 'intent_id',
      })
    }
  }
})

test.each(['challenge', 'solve'] as const)(
  'counts unknown intents at /%s towards the 60 a minute and looks up nothing beyond',
  async (path) => {
    const address = newAddress()
    const ask = () =>
      path === 'challenge'
        ? app.client.challenge(site, UNKNOWN, { address })
        : app.client.solve(site, { intent_id: UNKNOWN, challenge: 'AAAA', solution: 'AAAA' }, { address })
    expect((await flood(100, ask)).statuses).toEqual({ 422: 60, 429: 40 })
    expect(await flood(20, ask)).toEqual({ statuses: { 429: 20 }, lookUps: 0 })
  },
)

const knock = (secret: string, address: string, text?: string) =>
  app.client.post('/intents', text ?? { action: 'a', nonce: newNonce(), hostname: 'shop.example' }, {
    authorization: `Bearer ${secret}`,
    'x-forwarded-for': address,
  })

test('refuses unknown secrets after 30 a minute without a look-up', async () => {
  const address = newAddress()
  const ask = () => knock(newSecretKey(), address)
  expect((await flood(100, ask)).statuses).toEqual({ 401: 30, 429: 70 })
  expect(await flood(20, ask)).toEqual({ statuses: { 429: 20 }, lookUps: 0 })
})

test.each([10, 100])('counts the same unknown secret each time, also if %i arrive together', async (together) => {
  const address = newAddress()
  const secret = newSecretKey()
  expect((await flood(100, () => knock(secret, address), together)).statuses).toEqual({ 401: 30, 429: 70 })
})

test('counts unknown secrets of requests with invalid bodies', async () => {
  const address = newAddress()
  await flood(100, () => knock(newSecretKey(), address))
  const after = await flood(20, () => knock(newSecretKey(), address, '{"a":'))
  expect(after).toEqual({ statuses: { 400: 20 }, lookUps: 0 })
})

test('does not limit concurrent use of a valid secret, even on a node that has not cached it', async () => {
  const fresh = await makeSite(app.ctx)
  const address = newAddress()
  expect((await flood(100, () => knock(fresh.secret, address))).statuses).toEqual({ 200: 100 })
})

test('does not limit uses of a valid key that begin in one turn of the event loop', async () => {
  const fresh = await makeSite(app.ctx)
  const caller = { address: new ClientAddress(newAddress()), userAgent: undefined }
  const asked = Array.from({ length: 100 }, () => [
    siteOfSecret(app.ctx, fresh.secret, caller),
    siteOfSitekey(app.ctx, fresh.sitekey, { address: caller.address, hasIntent: () => false }),
  ])
  const found = await Promise.all(asked.flat())
  expect(new Set(found.map((site) => site?.id))).toEqual(new Set([fresh.siteId]))
})

test('the limits are settings of the deployment', async () => {
  const strict = await openTestApp({ DATABASE_URL: app.databaseUrl, UNKNOWN_SECRETS_PER_MINUTE: '3' })
  try {
    const ask = async () =>
      (await strict.client.post('/intents', {}, { authorization: `Bearer ${newSecretKey()}` })).status
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([401, 401, 401, 429])
  } finally {
    await strict.close()
  }
})

test('records a secret sent in a page’s request for the page’s site', async () => {
  const own = await makeSite(app.ctx)
  const reply = await app.client.challenge(own, own.secret)
  expect(reply.body).toEqual({ error: 'secret-in-body' })
  await vi.waitFor(
    async () => {
      const { rows } = await app.sql.query('select code from refusal where site_id = $1', [own.siteId])
      expect(rows).toEqual([{ code: 'secret-in-body' }])
    },
    { timeout: 20_000, interval: 200 },
  )
})
