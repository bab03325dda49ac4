import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { makeSite } from '../../test/support/make.ts'
import { testApp } from '../../test/support/testApp.ts'
import { written } from '../../test/support/written.ts'

const app = testApp({ GRANTS: 'on' })

/**
 * Statements that find out whose a key is, and what is noted about the key itself. With tenants on several databases, these are
 * what a directory has to answer (docs/scale.md).
 */
const BY_KEY = new Set(['site_by_secret', 'site_by_sitekey', 'site_of_former_secret', 'note_secret_use'])

test('every statement of the verification path carries the tenant, except those that look up a key', async () => {
  const site = await makeSite(app.ctx, { policy: { grantsEnabled: true } })
  const query = vi.spyOn(app.ctx.hotPool, 'query')
  const session = 'a'.repeat(64)
  const fields = await app.client.earn(site, { session, subject: 'b'.repeat(64) })
  const redeemed = await app.client.siteverify(site, fields)
  expect(redeemed.status).toBe(200)
  const decision_id = redeemed.body['decision_id']
  const event = {
    decision_id,
    event_id: randomUUID(),
    outcome: 'legitimate',
    business_type: 'order',
    occurred_at: Math.floor(Date.now() / 1000),
  }
  // the second time as a repetition
  for (const _ of [1, 2]) expect((await app.client.asSite('/feedback', site, event)).status).toBe(200)
  const grant = { decision_id, session, action: 'checkout', uses: 2, expires_in: 600, idempotency_key: randomUUID() }
  await app.client.asSite('/grants', site, grant)
  // a refusal, which is recorded
  expect((await app.client.siteverify(site, { ...fields, idempotency_key: randomUUID() })).status).toBe(409)
  await written(app)
  // arrays are sent in the binary format, in which a UUID is its bytes
  const bytes = Buffer.from(site.tenantId.replaceAll('-', ''), 'hex')
  const isTenant = (value: unknown) => value === site.tenantId || (Buffer.isBuffer(value) && value.includes(bytes))
  const calls = query.mock.calls.map(([{ name }, values]) => ({
    name,
    hasTenant: values.some(isTenant),
  }))
  expect(calls.filter(({ name, hasTenant }) => !hasTenant && !BY_KEY.has(name))).toEqual([])
  const names = new Set(calls.map(({ name }) => name))
  const feedback = ['report_feedback', 'latest_feedback']
  for (const name of ['open_intents', 'find_intents', 'redeem', ...feedback, 'add_usage', 'record_refusals'])
    expect(names).toContain(name)
})

const HOT_TABLES = [
  'intent',
  'decision',
  'quota_period',
  'balance',
  'captcha_grant',
  'feedback_event',
  'feedback_mark',
  'usage_hour',
  'usage_day',
  'refusal',
]

test('every unique key of the tables of the verification path contains the tenant, as sharded engines require', async () => {
  const { rows } = await app.sql.query<{ table: string; name: string; columns: string[] }>(
    `select c.relname as table, x.relname as name, array_agg(a.attname::text) as columns
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indisunique and c.relname = any($1) group by 1, 2`,
    [HOT_TABLES],
  )
  expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(HOT_TABLES))
  expect(rows.filter(({ columns }) => !columns.includes('tenant_id'))).toEqual([])
})
