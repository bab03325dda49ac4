import { expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { readsDuring } from '../../../test/support/tableReads.ts'
import { makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import { uuidOfHex } from '../../contract/ids.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { listDecisions } from './list.ts'
import { neighboursOf } from './neighbours.ts'
import { intentOf, traceDecision } from './trace.ts'

const app = testApp()

const SESSION = 'ab12'.repeat(16)

test('traces a decision from its intent to its feedback and its grant', async () => {
  const site = await makeSite(app.ctx)
  const { client } = app
  const earned = await client.earn(site, { session: SESSION })
  await client.siteverify(site, { ...earned, hostname: 'other.example' })
  const { body } = await client.siteverify(site, earned)
  const decision_id = String(body['decision_id'])
  const [first, second] = [newId(), newId()]
  await client.feedback(site, { decision_id, event_id: first, outcome: 'confirmed_abuse' })
  await client.feedback(site, { decision_id, event_id: second, supersedes_event_id: first })
  const grant = await client.asSite('/grants', site, { decision_id, session: SESSION, ttl: 600, uses: 2 })
  await written(app)

  const trace = await traceDecision(app.ctx, { tenant: { id: site.tenantId }, id: decision_id })
  expect(trace).toMatchObject({
    site: { id: site.siteId, name: 'Test' },
    action: 'checkout',
    hostname: 'shop.example',
    intent: { id: earned['intent_id'], kept: true, session: 'ab12ab12', subject: null },
    exemption: null,
    refusals: [{ endpoint: '/siteverify', code: 'binding-mismatch', hostname: 'other.example' }],
    decision: {
      id: decision_id,
      chargedTo: 'quota',
      challenge: { mobile: false },
      feedback: [
        { eventId: first, revision: 1, outcome: 'confirmed_abuse', supersedes: null },
        { eventId: second, revision: 2, outcome: 'legitimate', supersedes: first },
      ],
      grant: { id: grant.body['grant_id'], decisionId: decision_id, uses: 2, used: 0, revokedAt: null },
    },
  })
  const { intent, decision } = trace ?? {}
  const moments = [
    intent?.createdAt,
    decision?.challenge?.challengedAt,
    decision?.challenge?.solvedAt,
    decision?.redeemedAt,
  ]
  expect(moments).toEqual(moments.toSorted())
})

test('a revocation of a grant and its undo stay on the decision, also one by the backend', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const { client } = app
  const { body } = await client.siteverify(site, await client.earn(site, { session: SESSION }))
  const decision_id = String(body['decision_id'])
  const { grant_id: grant } = (await client.asSite('/grants', site, { decision_id, session: SESSION })).body
  const changes = async () =>
    (await traceDecision(app.ctx, { tenant: { id: tenant.id }, id: decision_id }))?.decision?.grant?.changes.map(
      ({ what }) => what,
    )
  expect(await changes()).toEqual([])
  const { data } = await owner.mutate('grants.revoke', { tenant: tenant.slug, grant })
  expect(await changes()).toEqual(['revoked'])
  await owner.mutate('grants.restore', { tenant: tenant.slug, revocation: (data as { id: string }).id })
  expect(await changes()).toEqual(['revoked', 'restored'])
  await client.asSite('/grants/revoke', site, { session: SESSION })
  expect(await changes()).toEqual(['revoked', 'restored', 'revoked'])
  const audit = await owner.query('audit.list', { tenant: tenant.slug, action: 'grant.revoke' })
  expect(audit.data).toMatchObject({
    rows: [{ targetName: `Test · grant …${String(grant).slice(-8)} · session ${SESSION.slice(0, 8)}` }],
  })
})

test('an intent opened with a grant names the grant and its decision', async () => {
  const site = await makeSite(app.ctx)
  const { client } = app
  const { body } = await client.siteverify(site, await client.earn(site, { session: SESSION }))
  const grant = await client.asSite('/grants', site, { decision_id: body['decision_id'], session: SESSION })
  const opened = await client.intent(site, { session: SESSION, trusted_grant_id: grant.body['grant_id'] })
  const trace = await traceDecision(app.ctx, { tenant: { id: site.tenantId }, id: String(opened.body['intent_id']) })
  expect(trace).toMatchObject({
    exemption: { grantId: grant.body['grant_id'], grant: { decisionId: body['decision_id'], used: 1 } },
    decision: null,
  })
})

test('an intent without a decision lists its refused requests', async () => {
  const site = await makeSite(app.ctx)
  const intent = await app.client.intent(site)
  const id = String(intent.body['intent_id'])
  await app.client.challenge(site, id, { origin: 'https://evil.example' })
  await written(app)
  expect(await traceDecision(app.ctx, { tenant: { id: site.tenantId }, id: id.toUpperCase() })).toMatchObject({
    intent: { id, kept: true },
    refusals: [{ endpoint: '/challenge', code: 'origin-not-allowed', hostname: 'evil.example' }],
    decision: null,
  })
})

test('a decision whose intent was deleted still shows when the intent was opened', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site, { session: SESSION })
  await app.client.siteverify(site, earned)
  const id = String(earned['intent_id'])
  const before = await traceDecision(app.ctx, { id })
  await app.sql.query('delete from intent where id = $1', [id])
  const { intent, decision } = (await traceDecision(app.ctx, { id })) ?? {}
  expect(intent).toMatchObject({ kept: false, expiresAt: null, session: null })
  expect(Math.abs((intent?.createdAt ?? 0) - (before?.intent.createdAt ?? 0))).toBeLessThan(5)
  expect(decision?.redeemedAt).toBe(before?.decision?.redeemedAt)
})

test("returns nothing for another tenant's decision or an invalid id", async () => {
  const [own, foreign] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const { body } = await app.client.siteverify(foreign, await app.client.earn(foreign))
  const id = String(body['decision_id'])
  expect(await traceDecision(app.ctx, { id })).toMatchObject({ tenantId: foreign.tenantId })
  for (const asked of [id, String(body['intent_id']), newId(), 'dec_', '', "' or 1=1"])
    expect(await traceDecision(app.ctx, { tenant: { id: own.tenantId }, id: asked })).toBeUndefined()
})

test('finds the decisions next to one in the order of the list, and none of another tenant', async () => {
  const site = await makeSite(app.ctx)
  const other = await makeSite(app.ctx)
  const ids: string[] = []
  for (const at of [site, other, site, site]) {
    const { body } = await app.client.siteverify(at, await app.client.earn(at))
    if (at === site) ids.push(String(body['decision_id']))
  }
  const [first = '', second = '', third = ''] = ids
  const neighbours = (id: string, tenantId = site.tenantId) =>
    neighboursOf(app.ctx, { id: tenantId }, intentOf(id) ?? '')
  expect(await neighbours(first)).toEqual({ newer: second, older: null })
  expect(await neighbours(second)).toEqual({ newer: third, older: first })
  expect(await neighbours(third)).toEqual({ newer: null, older: second })
  expect(await neighbours(second, other.tenantId)).toEqual({ newer: null, older: null })
})

const DECISIONS = 20_000

/** The id of a decision without its dashes: those of the sites, in turns, are numbered by their time; each two have the same one. */
const hexOf = (n: number) => `${n.toString(16).padStart(12, '0')}70008${'0'.repeat(15)}`
async function makeMany(sites: readonly MadeSite[]): Promise<void> {
  for (const [turn, { tenantId, siteId }] of sites.entries())
    await app.sql.query(
      `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to)
       select (lpad(to_hex(n), 12, '0') || '70008' || repeat('0', 15))::uuid, $1, $2, 'a', 'h', '', '',
         now() - interval '10 days' + make_interval(secs => n / 2), 'test'
       from generate_series(1, $3::int) n where n % $4::int = $5::int`,
      [tenantId, siteId, DECISIONS, sites.length, turn],
    )
  await app.sql.query('analyze decision')
}

test('the decisions next to one are found without reading those between it and the ends of the list', async () => {
  const site = await makeSite(app.ctx)
  await makeMany([site])
  // two decisions have the same time
  for (const n of [DECISIONS / 2, DECISIONS / 2 + 1]) {
    let found: unknown
    const read = await readsDuring(app, 'decision', async () => {
      found = await neighboursOf(app.ctx, { id: site.tenantId }, uuidOfHex(hexOf(n)))
    })
    expect(found).toEqual({ newer: `dec_${hexOf(n + 1)}`, older: `dec_${hexOf(n - 1)}` })
    expect(read).toBeLessThan(50)
  }
})

test('of some sites, the list and the decisions next to one are found without reading those of others', async () => {
  await app.sql.query('delete from decision')
  const one = await makeSite(app.ctx)
  const [two, other] = [
    await makeSite(app.ctx, { tenantId: one.tenantId }),
    await makeSite(app.ctx, { tenantId: one.tenantId }),
  ]
  await makeMany([one, two, other])
  const tenant = { id: one.tenantId, sites: [one.siteId, two.siteId] }
  const middle = Math.floor(DECISIONS / 6) * 3
  let found: unknown
  const next = await readsDuring(app, 'decision', async () => {
    found = await neighboursOf(app.ctx, tenant, uuidOfHex(hexOf(middle)))
  })
  expect(found).toEqual({ newer: `dec_${hexOf(middle + 1)}`, older: `dec_${hexOf(middle - 2)}` })
  expect(next).toBeLessThan(50)
  const list = await readsDuring(app, 'decision', async () => {
    found = (await listDecisions(app.ctx, tenant, { limit: 100 })).rows.map(({ site }) => site.id)
  })
  expect(new Set(found as string[])).toEqual(new Set(tenant.sites))
  expect(list).toBeLessThan(1000)
})
