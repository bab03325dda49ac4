import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { newNonce } from '../../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { newSecretKey, newSitekey } from '../../accounts/sites/keys.ts'

/** What people without a secret can have us look up: it is counted, and past the limit no statement runs. */

let app: TestApp
let site: MadeSite
beforeAll(async () => {
  app = await openTestApp()
  site = await makeSite(app.ctx)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => app.close())

const UNKNOWN = '01890000-0000-7000-8000-000000000000'
let hosts = 0
const newAddress = () => `198.51.100.${(hosts += 1)}`

/** Asks so many times, ten at once; the statuses by how often they came, and the statements that it took. */
async function flood(n: number, ask: () => Promise<{ status: number }>) {
  const statements = vi.spyOn(app.ctx.hotPool, 'query').mockClear()
  const replies: { status: number }[] = []
  while (replies.length < n) replies.push(...(await Promise.all(Array.from({ length: 10 }, ask))))
  // what is noted of a refusal is looked up behind the answer
  await new Promise((resolve) => setImmediate(resolve))
  const statuses: Record<number, number> = {}
  for (const { status } of replies) statuses[status] = (statuses[status] ?? 0) + 1
  const lookUps = statements.mock.calls.filter(([{ name }]) => /^(site_|find_intents)/.test(name ?? '')).length
  return { statuses, lookUps }
}

test('unknown site keys: 60 a minute from one address, then 429 without a look-up; a known one that is cached still works', async () => {
  const address = newAddress()
  const { body } = await app.client.intent(site)
  const ask = () => app.client.challenge({ ...site, sitekey: newSitekey() }, UNKNOWN, { address })
  const first = await flood(100, ask)
  expect(first.statuses).toEqual({ 422: 60, 429: 40 })
  expect(first.lookUps).toBe(60)
  expect(await flood(20, ask)).toEqual({ statuses: { 429: 20 }, lookUps: 0 })
  await app.client.challenge(site, body['intent_id'])
  expect((await app.client.challenge(site, body['intent_id'], { address })).status).toBe(200)
  // not at the cost of other visitors
  expect((await app.client.challenge({ ...site, sitekey: newSitekey() }, UNKNOWN)).status).toBe(422)
})

test('known site keys cost nothing of it, cached or not', async () => {
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
  'unknown intents at /%s count against the 60 a minute, and past it nothing is looked up',
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

test('unknown secrets: 30 a minute from one address, then 429 without a look-up', async () => {
  const address = newAddress()
  const ask = () => knock(newSecretKey(), address)
  expect((await flood(100, ask)).statuses).toEqual({ 401: 30, 429: 70 })
  expect(await flood(20, ask)).toEqual({ statuses: { 429: 20 }, lookUps: 0 })
})

test('the same unknown secret counts each time, also while it is being looked up', async () => {
  const address = newAddress()
  const secret = newSecretKey()
  expect((await flood(100, () => knock(secret, address))).statuses).toEqual({ 401: 30, 429: 70 })
})

test('secrets before bodies that are refused anyway are no way around it', async () => {
  const address = newAddress()
  await flood(100, () => knock(newSecretKey(), address))
  const after = await flood(20, () => knock(newSecretKey(), address, '{"a":'))
  expect(after).toEqual({ statuses: { 400: 20 }, lookUps: 0 })
})

test('a right secret is never limited for coming often at once, not even at a node that has never seen it', async () => {
  const fresh = await makeSite(app.ctx)
  const address = newAddress()
  expect((await flood(100, () => knock(fresh.secret, address))).statuses).toEqual({ 200: 100 })
})

test('what strangers may guess is a setting of the deployment', async () => {
  const strict = await openTestApp({ DATABASE_URL: app.databaseUrl, UNKNOWN_SECRETS_PER_MINUTE: '3' })
  try {
    const ask = async () =>
      (await strict.client.post('/intents', {}, { authorization: `Bearer ${newSecretKey()}` })).status
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([401, 401, 401, 429])
  } finally {
    await strict.close()
  }
})

test('a secret in the body of a page is still noted for the page’s site', async () => {
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
