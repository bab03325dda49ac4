import { expect, test } from 'vitest'
import { age } from '../../../test/support/age.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { makeMember, makeTenant } from '../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import { MOST_COUNTED } from './activity.ts'
import { TEST_BEHAVIOURS, testSitekey } from './testKeys/behaviour.ts'
import { testSecret } from './testKeys/ensure.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const owner = setUp(() => makeMember(app, tenant, 'owner'))

const at = (site: MadeSite) => ({ tenant: tenant.slug, site: site.siteId })
const now = () => Math.floor(app.ctx.clock.now() / 1000)
/** A time in the last minute. */
const recent = () => expect.toSatisfy((at: number) => at > now() - 60 && at <= now() + 1)

test('shows each step of merchant and visitor with its count of the last day', async () => {
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const activity = async () => (await owner.query('sites.activity', at(site))).data
  const none = { count: 0, lastAt: null }
  expect(await activity()).toEqual({ today: 0, intents: none, solved: none, decisions: none })

  await app.client.intent(site)
  const earned = await app.client.earn(site)
  await written(app)
  expect(await activity()).toEqual({
    today: 0,
    intents: { count: 2, lastAt: recent() },
    solved: { count: 1, lastAt: null },
    decisions: none,
  })

  expect((await app.client.siteverify(site, earned)).status).toBe(200)
  const one = { count: 1, lastAt: recent() }
  expect(await activity()).toMatchObject({ today: 1, intents: { count: 2 }, solved: one, decisions: one })

  await age(app.sql, [tenant.id], 2 * 86_400)
  await app.sql.query("update usage_hour set hour = hour - interval '2 days' where site_id = $1", [site.siteId])
  const past = { count: 0, lastAt: expect.toSatisfy((at: number) => at < now() - 86_400) }
  expect(await activity()).toEqual({ today: 0, intents: past, solved: past, decisions: past })
})

test('counts the rows of a busy site up to a maximum, and still shows when the last ones were written', async () => {
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const earned = await app.client.earn(site)
  await app.client.siteverify(site, earned)
  const copies = (table: string, changes: string) =>
    app.sql.query(
      `insert into ${table}
        select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${changes}))).*
        from ${table} t, generate_series(1, ${MOST_COUNTED + 500}) i where t.id = $1`,
      [earned['intent_id']],
    )
  await copies('intent', "'nonce', 'copied nonce ' || i, 'created_at', now() - interval '1 hour'")
  await copies('decision', "'redeemed_at', now() - interval '1 hour', 'solved_at', now() - interval '1 hour'")
  await written(app)
  await app.sql.query("update usage_hour set n = n + $2 where site_id = $1 and measure = 'intents'", [
    site.siteId,
    MOST_COUNTED + 500,
  ])
  const activity = (await owner.query('sites.activity', at(site))).data
  const most = { count: MOST_COUNTED + 1, lastAt: recent() }
  expect(activity).toMatchObject({ intents: most, solved: most, decisions: most })
})

test('shows the refused calls of the last day by endpoint, with the last one and its cause', async () => {
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const refused = async () => ((await owner.query('sites.integration', at(site))).data as { refused: unknown }).refused
  expect(await refused()).toEqual([])
  const earned = await app.client.earn(site)
  expect((await app.client.siteverify(site, { ...earned, action: 'other' })).status).toBe(409)
  expect((await app.client.siteverify(site, { ...earned, response: '' })).status).toBe(422)
  expect((await app.client.intent(site, { action: '' })).status).toBe(422)
  await written(app)
  expect(await refused()).toMatchObject([
    { endpoint: '/intents', count: 1, code: 'bad-field', field: 'action' },
    {
      endpoint: '/siteverify',
      count: 2,
      code: 'bad-field',
      field: 'response',
      at: recent(),
      fix: expect.stringContaining('Refuse the form and show it again'),
    },
  ])
  await app.sql.query("update refusal set at = at - interval '25 hours' where site_id = $1", [site.siteId])
  expect(await refused()).toEqual([])
})

test('refusals that only the server causes are told from those of visitors, also beside successful calls', async () => {
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const earned = await app.client.earn(site)
  expect((await app.client.siteverify(site, earned)).status).toBe(200)
  expect((await app.client.siteverify(site, { ...earned, idempotency_key: 'short' })).status).toBe(422)
  expect((await app.client.siteverify(site, { ...earned, response: '' })).status).toBe(422)
  await written(app)
  expect((await owner.query('sites.integration', at(site))).data).toMatchObject({
    decisions: { count: 1 },
    refused: [{ endpoint: '/siteverify', mistake: true, count: 1, all: 2, field: 'idempotency_key' }],
  })
})

test('what is refused in the console’s playground is no mistake of the integration', async () => {
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const opened = await owner.mutate('sites.tryOpen', { ...at(site), fault: 'wrong-host' })
  const { reply } = opened.data as { reply: { intent_id: string } }
  const refused = await app.client.challenge(site, reply.intent_id, { origin: 'https://www.shop.example' })
  expect(refused.body).toEqual({ error: 'origin-not-allowed' })
  await written(app)
  expect((await owner.query('sites.integration', at(site))).data).toMatchObject({ refused: [] })
  const findings = async () => ((await owner.query('sites.doctor', at(site))).data as { findings: unknown[] }).findings
  expect(await findings()).toEqual([])
  // as a day later; the refusal is kept
  await app.sql.query('delete from intent where id = $1', [reply.intent_id])
  expect(await findings()).toEqual([])
})

test('shows the use of a test key for a hostname of the site', async () => {
  const hostnames = ['tried.example', 'localhost', '127.0.0.1']
  const site = await makeSite(app.ctx, { tenantId: tenant.id, hostnames })
  const integration = async () => (await owner.query('sites.integration', at(site))).data
  expect(await integration()).toMatchObject({ testKeyAt: null, intents: { count: 0 } })

  const [pass] = TEST_BEHAVIOURS
  if (!pass) throw new Error('there are no test keys')
  const keys = { sitekey: testSitekey(pass), secret: testSecret(pass) }
  // a developer's own machine is what test keys are for
  for (const hostname of ['elsewhere.example', 'localhost', '127.0.0.1']) await app.client.intent(keys, { hostname })
  expect(await integration()).toMatchObject({ testKeyAt: null })
  await app.client.intent(keys, { hostname: 'tried.example' })
  expect(await integration()).toMatchObject({ testKeyAt: recent(), intents: { count: 0 } })
})

test('remembers the steps to the first decision after its intents are deleted', async () => {
  const own = await makeTenant(app)
  const person = await makeMember(app, own, 'viewer')
  const summary = async () => (await person.query('tenants.summary', { tenant: own.slug })).data
  const nothing = { site: false, intent: false, decision: false }
  expect(await summary()).toMatchObject({ today: 0, lastDecisionAt: null, done: nothing })

  const site = await makeSite(app.ctx, { tenantId: own.id })
  const earned = await app.client.earn(site)
  await written(app)
  expect(await summary()).toMatchObject({ done: { site: true, intent: true, decision: false } })

  await app.client.siteverify(site, earned)
  await written(app)
  await app.sql.query('delete from intent where tenant_id = $1', [own.id])
  expect(await summary()).toMatchObject({
    today: 1,
    lastDecisionAt: recent(),
    done: { site: true, intent: true, decision: true },
  })
})
