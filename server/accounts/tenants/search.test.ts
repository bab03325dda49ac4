import { beforeAll, expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import {
  type MadeMember,
  type MadeTenant,
  makeMember,
  makeOwnedTenant,
  makeTenant,
} from '../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import type { TenantHit } from './search.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const owner = setUp(() => makeMember(app, tenant, 'owner'))
let stranger: MadeMember
let strangers: MadeTenant
let site: MadeSite
let decision: string
let request: string
beforeAll(async () => {
  ;({ tenant: strangers, owner: stranger } = await makeOwnedTenant(app))
  site = await makeSite(app.ctx, { tenantId: tenant.id })
  const redeemed = await app.client.siteverify(site, await app.client.earn(site))
  decision = String(redeemed.body['decision_id'])
  request = (await app.client.intent(site, { action: '' })).headers.get('x-request-id') ?? ''
  await written(app)
})

const find = async (text: string, by: MadeMember = owner, slug = tenant.slug) =>
  ((await by.query('tenants.search', { tenant: slug, text })).data as TenantHit[]).map(({ kind, label }) => ({
    kind,
    label,
  }))

/** What each text finds. */
const texts = () => {
  const tail = request.slice(-8)
  const hits = {
    decision: { kind: 'decision', label: decision },
    refusal: { kind: 'refusal', label: request },
    site: { kind: 'site', label: expect.any(String) },
  }
  return [
    [decision, hits.decision],
    [`…${decision.slice(-8)}`, hits.decision],
    [decision.slice(-8), hits.decision],
    [request, hits.refusal],
    [`Ref. ${tail}`, hits.refusal],
    [tail.toUpperCase(), hits.refusal],
    [site.siteId, hits.site],
    [`{${site.siteId}}`, hits.site],
    [site.sitekey, hits.site],
  ] as const
}

test('finds each object by its whole id, a short id, a reference and a key', async () => {
  for (const [text, hit] of texts()) expect({ text, found: await find(text) }).toEqual({ text, found: [hit] })
  expect(await find('tes')).toMatchObject([{ kind: 'site' }])
})

test('finds a site by the words of its name in any order, however it was typed', async () => {
  const name = 'Zürich (Nord) Shop'
  const sites = await Promise.all(
    ['NFC', 'NFD'].map((form) =>
      owner.mutate('sites.create', {
        tenant: tenant.slug,
        name: name.normalize(form),
        hostnames: ['search.example'],
      }),
    ),
  )
  expect(sites.map(({ status }) => status)).toEqual([200, 200])
  for (const typed of ['shop zürich', 'ZÜRICH shop', 'nord) zü'])
    for (const form of ['NFC', 'NFD'])
      expect(await find(typed.normalize(form))).toEqual([name, name].map((label) => ({ kind: 'site', label })))
  expect(await find('shop geneva')).toEqual([])
})

test('finds nothing of another tenant, and no tenant of which the person is no member', async () => {
  for (const [text] of texts()) {
    expect({ text, found: await find(text, stranger, strangers.slug) }).toEqual({ text, found: [] })
    expect((await stranger.query('tenants.search', { tenant: tenant.slug, text })).code).toBe('NOT_FOUND')
  }
})

test('finds only what the role may read, and neither secrets nor addresses', async () => {
  const viewer = await makeMember(app, tenant, 'viewer')
  expect(await find(request, viewer)).toEqual([])
  expect(await find(decision, viewer)).toHaveLength(1)
  const billing = await makeMember(app, tenant, 'billing')
  expect(await find(decision, billing)).toEqual([])
  expect(await find(site.secret)).toEqual([])
  expect(await find(viewer.email)).toEqual([])
  expect(await find('   ')).toEqual([])
})

test('finds hostnames with their site, refused hosts and error codes, each only for roles that may read them', async () => {
  const shop = await makeSite(app.ctx, { tenantId: tenant.id, hostnames: ['checkout.example'] })
  await app.sql.query(
    `insert into refusal (id, tenant_id, site_id, endpoint, code, hostname, reference)
     select gen_random_uuid(), $1, $2, '/challenge', 'origin-not-allowed', 'mirror.example', lpad(n::text, 8, '0')
     from generate_series(1, 3) n`,
    [tenant.id, shop.siteId],
  )
  const { data } = await owner.query('tenants.search', { tenant: tenant.slug, text: 'mirror.ex' })
  expect(data).toMatchObject([
    { kind: 'refused-host', id: 'mirror.example', label: 'mirror.example', detail: 'refused 3 times' },
  ])
  expect(await find('checkout.example')).toEqual([{ kind: 'hostname', label: 'checkout.example' }])
  expect(await find('unauthor')).toEqual([{ kind: 'code', label: 'unauthorized' }])
  expect(await find('origin not')).toEqual([{ kind: 'code', label: 'origin-not-allowed' }])
  const viewer = await makeMember(app, tenant, 'viewer')
  expect(await find('checkout.example', viewer)).toHaveLength(1)
  for (const text of ['mirror.example', 'unauthorized']) expect(await find(text, viewer)).toEqual([])
  for (const text of ['mirror.example', 'checkout.example'])
    expect(await find(text, stranger, strangers.slug)).toEqual([])
})
