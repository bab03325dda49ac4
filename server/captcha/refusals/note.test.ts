import { expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import { NO_SITE } from '../../ledger/refusals/record.ts'
import { sweepRefusals } from '../../ledger/refusals/sweep.ts'

const app = testApp()

async function refusals(siteId: string): Promise<Record<string, unknown>[]> {
  await written(app)
  const { rows } = await app.sql.query(
    'select endpoint, code, field, hostname, intent_id, key_hint, id::text from refusal where site_id = $1 order by at, id',
    [siteId],
  )
  return rows
}
const kept = (fields: Record<string, unknown>) => ({
  field: null,
  hostname: null,
  intent_id: null,
  key_hint: null,
  id: expect.any(String),
  ...fields,
})

test('finds a refused request by the request id of its answer', async () => {
  const site = await makeSite(app.ctx)
  const reply = await app.client.intent(site, { hostname: 'elsewhere.example' })
  const [row, ...more] = await refusals(site.siteId)
  expect(more).toEqual([])
  expect(row).toEqual(
    kept({ endpoint: '/intents', code: 'bad-field', field: 'hostname', hostname: 'elsewhere.example' }),
  )
  expect(`req_${String(row?.['id']).replaceAll('-', '')}`).toBe(reply.headers.get('x-request-id'))
})

test('records the hostname and the intent of a page on another host', async () => {
  const site = await makeSite(app.ctx)
  const { body } = await app.client.intent(site)
  await app.client.challenge(site, body['intent_id'], { origin: 'https://www.shop.example' })
  expect(await refusals(site.siteId)).toEqual([
    kept({
      endpoint: '/challenge',
      code: 'origin-not-allowed',
      hostname: 'www.shop.example',
      intent_id: body['intent_id'],
    }),
  ])
})

test('records the use of a revoked secret for its site, with four characters; an unknown secret is recorded for no site', async () => {
  const site = await makeSite(app.ctx)
  await app.sql.query('update secret set revoked_at = now() where site_id = $1', [site.siteId])
  expect((await app.client.intent(site)).status).toBe(401)
  const hint = site.secret.slice(-4)
  // recorded once it is known whose secret it was
  await expect
    .poll(() => refusals(site.siteId))
    .toEqual([kept({ endpoint: '/intents', code: 'unauthorized', key_hint: hint })])

  const never = `tg_secret_${'x'.repeat(49)}`
  expect((await app.client.intent({ ...site, secret: never })).status).toBe(401)
  await expect
    .poll(() => refusals(NO_SITE.id))
    .toEqual([kept({ endpoint: '/intents', code: 'unauthorized', key_hint: 'xxxx' })])
  const { rows } = await app.sql.query('select 1 from usage_hour where tenant_id = $1', [NO_SITE.tenantId])
  expect(rows).toEqual([])
})

test('attributes a request refused before authentication to the site of its secret', async () => {
  const site = await makeSite(app.ctx)
  await app.client.post('/intents', '{"a":', { authorization: `Bearer ${site.secret}` })
  await app.client.intent(site, { secret: 'hunter2' })
  expect((await refusals(site.siteId)).map(({ code }) => code)).toEqual(['bad-request', 'secret-in-body'])
})

test('stores nothing of a body except a hostname and an intent id', async () => {
  const site = await makeSite(app.ctx)
  const marked = { canary_of_the_test: 'canary-of-the-test', hostname: 'NOT A CANARY-OF-THE-TEST' }
  await app.client.intent(site, marked)
  await app.client.siteverify(site, { intent_id: 'canary-of-the-test' })
  await refusals(site.siteId)
  const { rows } = await app.sql.query<{ row: string }>(
    'select refusal::text as row from refusal where site_id = $1 union all select usage_day::text from usage_day where site_id = $1',
    [site.siteId],
  )
  expect(rows.length).toBeGreaterThan(2)
  expect(rows.filter(({ row }) => /canary/i.test(row))).toEqual([])
})

test('counts every request of a flood and stores a sample', async () => {
  const site = await makeSite(app.ctx)
  const flood = (site: MadeSite) => app.client.intent(site, { action: '' })
  for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 10 }, () => flood(site)))
  expect(await refusals(site.siteId)).toHaveLength(30)
  const { rows } = await app.sql.query('select label, n::int as n from usage_day where site_id = $1', [site.siteId])
  expect(rows).toEqual([{ label: '/intents bad-field action', n: 100 }])
})

test('deletes refusals after 30 days and keeps their counts', async () => {
  const site = await makeSite(app.ctx)
  await app.client.intent(site, { action: '' })
  await refusals(site.siteId)
  // a UUIDv7 of 31 days ago
  await app.sql.query(
    `insert into refusal (id, tenant_id, site_id, at, endpoint, code, reference)
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000001')::uuid,
       $1, $2, at, '/intents', 'bad-field', '00000001'
     from (select now() - interval '31 days' as at) t`,
    [site.tenantId, site.siteId],
  )
  expect(await sweepRefusals(app.ctx)).toBe(1)
  expect(await refusals(site.siteId)).toHaveLength(1)
})
