import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/support/app.ts'
import { newNonce } from '../../../test/support/client.ts'
import { makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { TEST_BEHAVIOURS, testSitekey } from '../../accounts/sites/testKeys/behaviour.ts'
import { testSecret } from '../../accounts/sites/testKeys/ensure.ts'

/** What the holder of a secret can have us look up past the limits: what was answered before, and little else. */

const app = testApp()

const BURST = 5
/** Five calls, and no more while a test runs. */
const slow = { ratePerSecond: 1, rateBurst: BURST }
const UNKNOWN = '01890000-0000-7000-8000-000000000000'
const limited = [429, { error: 'rate-limited' }]

/** The statements of the verification path that the calls take. */
async function statementsOf(n: number, call: () => Promise<{ status: number; body: unknown }>) {
  const statements = vi.spyOn(app.ctx.hotPool, 'query').mockClear()
  const replies = []
  for (let i = 0; i < n; i++) replies.push(await call())
  const NAMES =
    /^(report_feedback|latest_feedback|issue_grant|revoke_grant|revoke_session_grants|redeem|open_intents|find_intents|site_)/
  return { replies, count: statements.mock.calls.filter(([{ name }]) => NAMES.test(name ?? '')).length }
}

test.each([
  [
    '/feedback',
    () => ({
      decision_id: `dec_${randomUUID().replaceAll('-', '')}`,
      event_id: randomUUID(),
      outcome: 'legitimate',
      business_type: 'order',
      occurred_at: Math.floor(Date.now() / 1000),
    }),
  ],
  ['/grants', () => ({ decision_id: `dec_${randomUUID().replaceAll('-', '')}` })],
  ['/grants/revoke', () => ({ grant_id: randomUUID() })],
])('ids that do not exist at %s: past the site’s rate nothing is looked up', async (path, body) => {
  // for an hour, so that no window ends while a slow machine tests
  const site = await makeSite(app.ctx, { policy: { ...slow, rateBurst: 60 } })
  const call = () => app.client.asSite(path, site, body())
  await statementsOf(121, call)
  const { replies, count } = await statementsOf(20, call)
  for (const reply of replies) expect([reply.status, reply.body]).toEqual(limited)
  expect(count).toBe(0)
})

test('a repetition is answered past the rate, also after many calls for what does not exist', async () => {
  const site = await makeSite(app.ctx, { policy: { ...slow, rateBurst: 60 } })
  const earned = await app.client.earn(site)
  const { body } = await app.client.siteverify(site, earned)
  const report = {
    decision_id: body['decision_id'],
    event_id: randomUUID(),
    outcome: 'legitimate',
    business_type: 'order',
    occurred_at: Math.floor(Date.now() / 1000),
  }
  const first = await app.client.asSite('/feedback', site, report)
  expect(first.status).toBe(200)
  const miss = () =>
    app.client.asSite('/feedback', site, { ...report, decision_id: 'dec_0189000000007000800000000000000a' })
  await statementsOf(80, miss)
  expect((await app.client.asSite('/feedback', site, report)).text).toBe(first.text)
})

test('forged tokens at /siteverify: past the site’s rate nothing is looked up, and repetitions are', async () => {
  const site = await makeSite(app.ctx, { policy: slow })
  const earned = await app.client.earn(site)
  const first = await app.client.siteverify(site, earned)
  const forge = () =>
    app.client.siteverify(site, { ...earned, response: 'tgr_AAAA', intent_id: UNKNOWN, idempotency_key: newNonce() })
  for (let i = 0; i < BURST; i++) await forge()
  const { replies, count } = await statementsOf(10, forge)
  expect(replies.at(-1)?.status).toBe(429)
  expect(count).toBe(replies.filter(({ status }) => status !== 429).length)
  expect((await app.client.siteverify(site, earned)).text).toBe(first.text)
})

test('with the published secrets of test keys nothing is looked up past the limit', async () => {
  const strict = await openTestApp({ DATABASE_URL: app.databaseUrl, TEST_KEYS_PER_MINUTE: '3' })
  try {
    const [pass] = TEST_BEHAVIOURS
    if (!pass) throw new Error('there are no test keys')
    const keys = { sitekey: testSitekey(pass), secret: testSecret(pass) }
    const statements = vi.spyOn(strict.ctx.hotPool, 'query')
    for (let i = 0; i < 3; i++) expect((await strict.client.intent(keys)).status).toBe(200)
    statements.mockClear()
    for (let i = 0; i < 10; i++) {
      const reply = await strict.client.intent(keys)
      expect([reply.status, reply.body]).toEqual(limited)
      await strict.client.siteverify(keys, {
        response: 'tgr_AAAA',
        intent_id: UNKNOWN,
        action: 'checkout',
        hostname: 'shop.example',
        idempotency_key: newNonce(),
      })
    }
    const names = statements.mock.calls.map(([{ name }]) => name ?? '')
    expect(names.filter((name) => /^(open_intents|redeem|find_intents)$/.test(name))).toEqual([])
  } finally {
    await strict.close()
  }
})
