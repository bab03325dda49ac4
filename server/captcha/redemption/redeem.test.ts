import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { newNonce } from '../../../test/support/client.ts'
import { makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { untilWaitedFor } from '../../../test/support/waiting.ts'
import { admitOperator } from '../../accounts/access.ts'
import { addBalance } from '../../accounts/plans/addBalance.ts'
import { reconcile } from '../../ledger/quota/reconcile.ts'

const app = testApp()
afterEach(async () => {
  expect((await reconcile(app.ctx)).mismatches).toEqual([])
})

const decisions = async (intentId: string | undefined) =>
  (await app.sql.query('select charged_to from decision where id = $1', [intentId])).rows
const used = async (tenantId: string) =>
  (await app.sql.query<{ used: string }>('select used from quota_period where tenant_id = $1', [tenantId])).rows[0]
    ?.used
const age = (intentId: string | undefined, seconds: number) =>
  app.sql.query('update decision set redeemed_at = redeemed_at - make_interval(secs => $2) where id = $1', [
    intentId,
    seconds,
  ])

test('redeems a solved intent once and charges one unit', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  const reply = await app.client.siteverify(site, earned)
  expect(reply.status).toBe(200)
  expect(reply.text).toBe(
    `{"success":true,"intent_id":"${earned['intent_id']}","action":"checkout","hostname":"shop.example","decision_id":"dec_${earned['intent_id']?.replaceAll('-', '')}","assessment":"passed"}`,
  )
  expect(await decisions(earned['intent_id'])).toEqual([{ charged_to: 'quota' }])
  expect(await used(site.tenantId)).toBe('1')
})

test('gives the same five values the same bytes for 600 s and never charges twice', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  const first = await app.client.siteverify(site, earned)
  expect((await app.client.siteverify(site, { ...earned, intent_id: earned['intent_id']?.toUpperCase() })).text).toBe(
    first.text,
  )
  await age(earned['intent_id'], 599)
  expect((await app.client.siteverify(site, earned)).text).toBe(first.text)
  await age(earned['intent_id'], 2)
  const late = await app.client.siteverify(site, earned)
  expect([late.status, late.text]).toEqual([409, '{"error":"already-redeemed"}'])
  expect(await used(site.tenantId)).toBe('1')
})

test('answers a replay even if intent, quota and site no longer exist', async () => {
  const site = await makeSite(app.ctx, { quota: 1 })
  const earned = await app.client.earn(site)
  const first = await app.client.siteverify(site, earned)
  await app.sql.query("update intent set expires_at = now() - interval '1 s' where id = $1", [earned['intent_id']])
  await app.sql.query('update site set paused_at = now() where id = $1', [site.siteId])
  const again = await app.client.siteverify(site, earned)
  expect([again.status, again.text]).toEqual([200, first.text])
})

test.each([
  ['another key', { idempotency_key: newNonce() }, 'already-redeemed'],
  ['another action', { action: 'signup' }, 'idempotency-conflict'],
  ['another token', { response: 'tgr_AAAA' }, 'idempotency-conflict'],
])('a redeemed intent refuses %s', async (_what, changed, code) => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  await app.client.siteverify(site, earned)
  for (const seconds of [0, 599]) {
    await age(earned['intent_id'], seconds)
    expect((await app.client.siteverify(site, { ...earned, ...changed })).body).toEqual({ error: code })
  }
  await age(earned['intent_id'], 601)
  expect((await app.client.siteverify(site, { ...earned, ...changed })).body).toEqual({ error: 'already-redeemed' })
  expect(await used(site.tenantId)).toBe('1')
})

test.each([
  ['another action', { action: 'signup' }, 'binding-mismatch'],
  ['another hostname', { hostname: 'other.example' }, 'binding-mismatch'],
  ['a forged token', { response: `tgr_${'A'.repeat(200)}` }, 'response-invalid'],
  ['an unknown intent', { intent_id: '01890000-0000-7000-8000-000000000000' }, 'response-invalid'],
])('a refusal for %s consumes nothing', async (_what, changed, code) => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  const refused = await app.client.siteverify(site, { ...earned, ...changed })
  expect([refused.status, refused.body]).toEqual([409, { error: code }])
  expect(await decisions(earned['intent_id'])).toEqual([])
  expect((await app.client.siteverify(site, earned)).status).toBe(200)
})

test('refuses a token with any one character changed', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  const token = String(earned['response'])
  for (let i = 4; i < token.length; i += 7) {
    const altered = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1)
    expect((await app.client.siteverify(site, { ...earned, response: altered })).body).toEqual({
      error: 'response-invalid',
    })
  }
})

test("refuses another site's token, intent and secret", async () => {
  const mine = await makeSite(app.ctx)
  const theirs = await makeSite(app.ctx)
  const sister = await makeSite(app.ctx, { tenantId: mine.tenantId })
  const earned = await app.client.earn(mine)
  const other = await app.client.earn(theirs)
  for (const keys of [theirs, sister])
    expect((await app.client.siteverify(keys, earned)).body).toEqual({ error: 'response-invalid' })
  expect((await app.client.siteverify(mine, { ...earned, response: other['response'] })).body).toEqual({
    error: 'response-invalid',
  })
  expect(await decisions(earned['intent_id'])).toEqual([])
})

test('refuses an expired intent and new redemptions of a paused site', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  await app.sql.query("update intent set expires_at = now() - interval '1 s' where id = $1", [earned['intent_id']])
  expect((await app.client.siteverify(site, earned)).body).toEqual({ error: 'intent-expired' })

  const paused = await makeSite(app.ctx)
  await app.sql.query('update site set paused_at = now() where id = $1', [paused.siteId])
  const refused = await app.client.intent(paused)
  expect([refused.status, refused.body]).toEqual([403, { error: 'site-disabled' }])
})

test('charges the quota first, then the balance, then refuses', async () => {
  const site = await makeSite(app.ctx, { quota: 1 })
  const three = await Promise.all([1, 2, 3].map(() => app.client.earn(site)))
  await addBalance(admitOperator(app.ctx, 'test'), { id: site.tenantId }, { units: 1, reason: 'test' })
  const codes = []
  for (const earned of three) codes.push((await app.client.siteverify(site, earned)).status)
  expect(codes).toEqual([200, 200, 402])
  expect(await decisions(three[0]?.['intent_id'])).toEqual([{ charged_to: 'quota' }])
  expect(await decisions(three[1]?.['intent_id'])).toEqual([{ charged_to: 'balance' }])
  const refused = await app.client.intent(site)
  expect([refused.status, refused.body]).toEqual([402, { error: 'quota-exceeded' }])

  await addBalance(admitOperator(app.ctx, 'test'), { id: site.tenantId }, { units: 1, reason: 'test' })
  expect((await app.client.siteverify(site, three[2] ?? {})).status).toBe(200)
})

test('charges several tenants at once, each from its own quota and then its own balance', async () => {
  const operator = admitOperator(app.ctx, 'test')
  const sites = await Promise.all([1, 2, 3].map((quota) => makeSite(app.ctx, { quota })))
  const earned = await Promise.all(
    sites.flatMap((site) => Array.from({ length: 5 }, async () => ({ site, fields: await app.client.earn(site) }))),
  )
  for (const { tenantId } of sites) await addBalance(operator, { id: tenantId }, { units: 3, reason: 'test' })
  const replies = await Promise.all(earned.map(({ site, fields }) => app.client.siteverify(site, fields)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1 + 3 + 5 + 5)
  const { rows } = await app.sql.query(
    `select q.used::int, b.units::int from quota_period q join balance b using (tenant_id) where tenant_id = any($1) order by q.used`,
    [sites.map(({ tenantId }) => tenantId)],
  )
  expect(rows).toEqual([
    { used: 1, units: 0 },
    { used: 2, units: 0 },
    { used: 3, units: 1 },
  ])
})

test('of two nodes that redeem an intent in different months at the same moment, one is charged and the other repeats it', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  const hash = (text: string | undefined) => createHash('sha256').update(String(text)).digest().subarray(0, 16)
  // the node whose month has begun locks another quota row, so that neither waits for the other
  const other = await app.sql.connect()
  await other.query('begin')
  await other.query(
    `insert into quota_period (tenant_id, month, included, used)
     values ($1, (date_trunc('month', now() at time zone 'utc') + interval '1 month')::date, 10, 1)`,
    [site.tenantId],
  )
  await other.query(
    `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to)
     select id, tenant_id, site_id, action, hostname, $2, $3, now() + interval '1 month', 'quota' from intent where id = $1`,
    [earned['intent_id'], hash(earned['response']), hash(earned['idempotency_key'])],
  )
  const reply = app.client.siteverify(site, earned)
  await untilWaitedFor(app.sql, other)
  await other.query('commit')
  other.release()
  expect(await reply).toMatchObject({ status: 503, text: '{"error":"unavailable"}' })
  expect((await app.client.siteverify(site, earned)).status).toBe(200)
  expect(await decisions(earned['intent_id'])).toEqual([{ charged_to: 'quota' }])
  const { rows } = await app.sql.query('select used from quota_period where tenant_id = $1 order by month', [
    site.tenantId,
  ])
  expect(rows).toEqual([{ used: '0' }, { used: '1' }])
})
