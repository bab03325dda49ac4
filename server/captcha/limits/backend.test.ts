import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'

/** The site's rate at /feedback, /grants and /grants/revoke: each endpoint has its own limit, and repetitions are never limited. */

const app = testApp()

const SESSION = 'a'.repeat(64)
const limited = { error: 'rate-limited' }
/** Thirty calls in thirty seconds: longer than a test takes on a slow machine. */
const slow = { ratePerSecond: 1, rateBurst: 30 }
const many = <Out>(call: () => Promise<Out>) => Promise.all(Array.from({ length: 29 }, call))

async function decide(policy: object = slow) {
  const site = await makeSite(app.ctx, { policy })
  return { site, decision_id: await app.client.decide(site, { session: SESSION }) }
}

test('/feedback', async () => {
  const { site, decision_id } = await decide()
  const occurred_at = Math.floor(Date.now() / 1000)
  const report = (fields: object) =>
    app.client.asSite('/feedback', site, {
      decision_id,
      outcome: 'legitimate',
      business_type: 'order',
      occurred_at,
      ...fields,
    })
  const event_id = randomUUID()
  const first = await report({ event_id })
  expect(first.status).toBe(200)
  for (let i = 0; i < 10; i++) expect((await report({ event_id })).text).toBe(first.text)
  for (const { body } of await many(() => report({ event_id: randomUUID() })))
    expect(body).toEqual({ error: 'supersede-required' })
  const refused = await report({ event_id: randomUUID() })
  expect([refused.status, refused.body]).toEqual([429, limited])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await report({ event_id })).text).toBe(first.text)
})

test('/grants', async () => {
  const { site, decision_id } = await decide()
  const ask = (fields: object = {}) => app.client.asSite('/grants', site, { decision_id, session: SESSION, ...fields })
  const first = await ask()
  expect(first.status).toBe(200)
  for (let i = 0; i < 10; i++) expect((await ask()).text).toBe(first.text)
  for (const { body } of await many(() => ask({ uses: 2 }))) expect(body).toEqual({ error: 'grant-exists' })
  const refused = await ask({ uses: 2 })
  expect([refused.status, refused.body]).toEqual([429, limited])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await ask()).text).toBe(first.text)
})

test('/grants/revoke', async () => {
  const { site, decision_id } = await decide()
  const second = await app.client.decide(site, { session: SESSION })
  const ask = async (decision_id: unknown) =>
    (await app.client.asSite('/grants', site, { decision_id, session: SESSION })).body['grant_id']
  const [one, two] = [await ask(decision_id), await ask(second)]
  const revoke = (fields: object) => app.client.asSite('/grants/revoke', site, fields)
  expect((await revoke({ grant_id: one })).body).toEqual({ revoked: 1 })
  for (const { body } of await many(() => revoke({ grant_id: randomUUID() })))
    expect(body).toEqual({ error: 'bad-request', field: 'grant_id' })
  for (const fields of [{ grant_id: two }, { session: SESSION }]) {
    const refused = await revoke(fields)
    expect([refused.status, refused.body]).toEqual([429, limited])
  }
  // a repetition is not counted, and the refused call revoked nothing
  for (let i = 0; i < 5; i++) expect((await revoke({ grant_id: one })).body).toEqual({ revoked: 0 })
  const { rows } = await app.sql.query('select id from captcha_grant where site_id = $1 and revoked_at is null', [
    site.siteId,
  ])
  expect(rows).toEqual([{ id: two }])
  expect((await revoke({ session: 'b'.repeat(64) })).body).toEqual({ revoked: 0 })
})
