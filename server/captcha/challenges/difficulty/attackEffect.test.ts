import { beforeAll, expect, test } from 'vitest'
import { makeDecisions } from '../../../../test/support/decisions.ts'
import { type MadeSite, makeSite } from '../../../../test/support/make.ts'
import { type MadeMember, makeMember, makeOwnedTenant } from '../../../../test/support/tenant.ts'
import { testApp } from '../../../../test/support/testApp.ts'
import { written } from '../../../../test/support/written.ts'
import type { AttackEffect } from './compare.ts'
import { packReasons, unpackReasons } from './reasons.ts'

const MILLION = 1_048_576

const app = testApp()
let tenant: { id: string; slug: string }
let member: MadeMember
beforeAll(async () => {
  const owned = await makeOwnedTenant(app)
  tenant = owned.tenant
  member = await makeMember(app, tenant, 'developer')
})

const made = (policy: Parameters<typeof makeSite>[1] & object = {}) =>
  makeSite(app.ctx, { tenantId: tenant.id, policy: { baseWork: MILLION }, ...policy })

/** A decision of an hour ago whose challenge took `seconds` at the default difficulty. */
const took = (seconds: number, { action = 'checkout', network = 0 } = {}) => ({
  ago: 3600,
  action,
  solveMs: seconds * 1000 * 2 ** network,
  work: BigInt(MILLION * 2 ** network),
  workReasons: packReasons({ ...unpackReasons(0), network }),
})

/** Adds to a site's counts of an hour `hours` ago. */
const count = (site: MadeSite, label: string, n: number, { hours = 1 } = {}) =>
  app.sql.query(
    `insert into usage_hour (tenant_id, site_id, hour, measure, label, n)
     values ($1, $2, date_trunc('hour', now(), 'UTC') - make_interval(hours => $3), 'refused', $4, $5)`,
    [site.tenantId, site.siteId, hours, label, n],
  )

async function effect({ siteId }: MadeSite): Promise<AttackEffect | null> {
  const { status, data } = await member.query('sites.attackEffect', { tenant: tenant.slug, site: siteId })
  expect(status).toBe(200)
  return data as AttackEffect | null
}

test('waits grow with the difficulty of attack mode, which is six times the default one', async () => {
  const site = await made()
  // 2.4 s become 14.4 s, and 2.6 s become 15.6 s
  await makeDecisions(app, site, [took(0.1), took(2.4), took(2.6), took(4), { ago: 60, solveMs: null }])
  expect(await effect(site)).toEqual({ sampled: 4, challenges: 4, slow: 0.5, refused: 0 })
})

test('the minimum age of a busy network is the same, whatever the base difficulty of the action', async () => {
  const site = await made({
    policy: { baseWork: MILLION, actions: [{ action: 'login', baseWork: 3 * MILLION, workMode: 'fixed' }] },
  })
  // 16 s for busy networks and 10 s for others
  const login = { action: 'login' }
  await makeDecisions(app, site, [
    took(0.01, { ...login, network: 1 }),
    took(0.01, { network: 1 }),
    took(0.01, login),
    took(0.01),
  ])
  expect((await effect(site))?.slow).toBe(0.5)
})

test('counts refusals for want of a place of the last week: no others, and none of another site or tenant', async () => {
  const site = await made()
  await makeDecisions(app, site, [took(1), took(1), took(1)])
  await count(site, '/challenge rate-limited line-full', 1)
  await count(site, '/challenge rate-limited line-full', 4, { hours: 8 * 24 })
  for (const label of [
    '/challenge rate-limited site-list',
    '/challenge rate-limited automation',
    '/challenge origin-not-allowed',
    '/challenge rate-limited',
    '/solve rate-limited',
    '/intents rate-limited',
  ])
    await count(site, label, 100)
  for (const other of [await made(), await makeSite(app.ctx)]) {
    await count(other, '/challenge rate-limited line-full', 100)
    await makeDecisions(app, other, [took(4)])
  }
  expect(await effect(site)).toEqual({ sampled: 3, challenges: 3, slow: 0, refused: 0.25 })
})

test('a visitor who waits in line is not counted, one for whom there is no place is', async () => {
  const site = await made()
  await makeDecisions(app, site, [took(1)])
  let [inLine, refused] = [0, 0]
  // a network may leave 64 challenges unsolved; then its visitors wait for up to a minute
  for (let n = 0; n < 600 && refused < 2; n++) {
    const { body } = await app.client.intent(site)
    const { status, headers } = await app.client.challenge(site, body['intent_id'], { address: '203.0.113.7' })
    if (status === 429 && Number(headers.get('retry-after')) > 60) refused++
    else if (status === 429) inLine++
  }
  expect(inLine).toBeGreaterThan(0)
  expect(refused).toBe(2)
  await written(app)
  expect((await effect(site))?.refused).toBeCloseTo(2 / 3)
})

test('there is no effect without a solved challenge in the last week', async () => {
  const site = await made()
  await makeDecisions(app, site, [
    { ...took(4), ago: 8 * 86_400 },
    { ago: 60, solveMs: null },
  ])
  await count(site, '/challenge rate-limited line-full', 5)
  expect(await effect(site)).toBeNull()
})

test('the site of another tenant is not found', async () => {
  const other = await makeSite(app.ctx)
  const { status } = await member.query('sites.attackEffect', { tenant: tenant.slug, site: other.siteId })
  expect(status).toBe(404)
})
