import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeSite } from '../../test/support/make.ts'
import { testApp } from '../../test/support/testApp.ts'

const app = testApp()

/** The indexes that the verification path may use. Any other index contains all rows of a site or tenant. */
const KEYS = [
  'intent_pkey',
  'intent_site_id_nonce_tenant_id_key',
  'decision_pkey',
  'captcha_grant_pkey',
  'captcha_grant_decision_id_tenant_id_key',
  'feedback_event_pkey',
  'feedback_event_decision_id_revision_tenant_id_key',
]

test('the verification path finds every row by its key, even on a new database without statistics', async () => {
  const site = await makeSite(app.ctx)
  for (let i = 0; i < 3; i++) {
    const session = randomUUID().replaceAll('-', '').repeat(2)
    const earned = await app.client.earn(site, { session })
    const { decision_id } = (await app.client.siteverify(site, earned)).body
    const { grant_id } = (await app.client.asSite('/grants', site, { decision_id, session })).body
    expect((await app.client.intent(site, { session, trusted_grant_id: grant_id })).status).toBe(200)
    const report = {
      decision_id,
      event_id: randomUUID(),
      outcome: 'legitimate',
      business_type: 'order',
      occurred_at: Math.floor(Date.now() / 1000),
    }
    expect((await app.client.asSite('/feedback', site, report)).status).toBe(200)
  }
  // PostgreSQL reports a connection's index counts about a second after its statement
  let used: string[] = []
  for (let i = 0; i < 100 && KEYS.some((key) => !used.includes(key)); i++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const { rows } = await app.sql.query<{ name: string }>(
      "select indexrelname as name from pg_stat_user_indexes where idx_scan > 0 and relname in ('intent', 'decision', 'captcha_grant', 'feedback_event')",
    )
    used = rows.map((row) => row.name)
  }
  expect(used.toSorted()).toEqual(KEYS.toSorted())
})
