import { expect, test } from 'vitest'
import { ageSessions, makePerson } from '../../test/support/browser.ts'
import { makeSite } from '../../test/support/make.ts'
import { readPages } from '../../test/support/readPages.ts'
import { makeMember, makeOwnedTenant, makeTenant } from '../../test/support/tenant.ts'
import { setUp, testApp } from '../../test/support/testApp.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const owner = setUp(() => makeMember(app, tenant, 'owner'))

test('gives the same answer for another tenant and a missing one', async () => {
  const stranger = await makePerson(app)
  const [foreign, unknown] = [
    await stranger.query('tenants.get', { tenant: tenant.slug }),
    await stranger.query('tenants.get', { tenant: 'nowhere' }),
  ]
  expect(foreign.code).toBe('NOT_FOUND')
  expect({ ...foreign, message: foreign.message.replace(tenant.slug, 'nowhere') }).toEqual(unknown)
})

test('a session older than ten minutes can read but not rotate secrets until a new sign-in', async () => {
  const { siteId } = await makeSite(app.ctx, { tenantId: tenant.id })
  const rotate = () => owner.mutate('secrets.rotate', { tenant: tenant.slug, site: siteId, overlap: 0 })
  await ageSessions(app, owner, 11)
  expect(await rotate()).toMatchObject({ code: 'FORBIDDEN', reason: 'reauth-required' })
  expect((await owner.query('secrets.list', { tenant: tenant.slug, site: siteId })).status).toBe(200)
  const rows = await app.rows('select 1 from secret where site_id = $1', [siteId])
  expect(rows).toHaveLength(1)
  await owner.signIn(owner.email)
  expect((await rotate()).status).toBe(200)
})

test('an owner without a second factor cannot require one', async () => {
  const require2fa = { tenant: tenant.slug, require2fa: true }
  await owner.signIn(owner.email)
  expect((await owner.mutate('tenants.update', require2fa)).code).toBe('CONFLICT')
})

test('answers invalid input with a reason, a sentence and the field', async () => {
  const reply = await owner.post('/trpc/sites.create', { tenant: tenant.slug, name: 7, hostnames: ['a.example'] })
  expect(reply.body['error']).toMatchObject({
    message: 'A value is missing or not valid. Check what you entered, then try again.',
    data: { code: 'BAD_REQUEST', reason: 'input-invalid', field: 'name' },
  })
  const unknown = await owner.query('sites.gone', { tenant: tenant.slug })
  expect(unknown).toMatchObject({ code: 'NOT_FOUND', reason: 'page-outdated' })
  expect(unknown.message).not.toContain('sites.gone')
})

test('answers ten calls in one request and refuses eleven', async () => {
  const batch = (n: number) =>
    owner.get(`/trpc/${Array.from({ length: n }, () => 'system.overview').join(',')}?batch=1&input=%7B%7D`)
  expect((await batch(10)).status).toBe(200)
  expect((await batch(11)).status).toBe(400)
})

test('refuses a mutation by GET', async () => {
  const before = await app.ctx.prisma.tenant.count()
  const input = encodeURIComponent(JSON.stringify({ name: 'Forged' }))
  expect((await owner.get(`/trpc/tenants.create?input=${input}`)).status).toBe(405)
  expect(await app.ctx.prisma.tenant.count()).toBe(before)
})

test('the person who creates a tenant becomes its owner, with 1000 units a month', async () => {
  const founder = await makePerson(app)
  const { data } = await founder.mutate('tenants.create', { name: 'Ada’s Shop' })
  const { slug } = data as { slug: string }
  expect(slug).toBe('adas-shop')
  expect((await founder.query('tenants.get', { tenant: slug })).data).toMatchObject({ role: 'owner' })
  expect((await founder.query('usage.meter', { tenant: slug })).data).toMatchObject({
    included: 1000,
    used: 0,
    balance: 0,
  })
})

test('refuses a slug that is taken, and one that cannot be in a URL', async () => {
  const { tenant: other } = await makeOwnedTenant(app)
  const update = (slug: string) => owner.mutate('tenants.update', { tenant: tenant.slug, slug })
  expect((await update(other.slug)).code).toBe('CONFLICT')
  expect((await update('No Slug')).code).toBe('BAD_REQUEST')
})

test('deletes a tenant when its slug is typed, and keeps only what was billed', async () => {
  const { tenant: doomed, owner: boss } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: doomed.id })
  await app.client.siteverify(site, await app.client.earn(site))
  expect((await boss.mutate('tenants.delete', { tenant: doomed.slug, confirm: 'other' })).code).toBe('BAD_REQUEST')
  expect((await boss.mutate('tenants.delete', { tenant: doomed.slug, confirm: doomed.slug })).status).toBe(200)
  expect((await boss.query('tenants.get', { tenant: doomed.slug })).code).toBe('NOT_FOUND')
  expect((await app.client.intent(site)).status).toBe(401)
  const rows = await app.rows('select 1 from decision where tenant_id = $1', [doomed.id])
  expect(rows).toHaveLength(1)
})

test('the audit log shows who did what, filters by each field and pages without gaps', async () => {
  const { tenant: audited, owner: boss } = await makeOwnedTenant(app)
  for (let i = 0; i < 7; i++)
    await boss.mutate('sites.create', { tenant: audited.slug, name: `Shop ${i}`, hostnames: ['shop.example'] })
  const list = async (query: object) =>
    (await boss.query('audit.list', { tenant: audited.slug, ...query })).data as {
      rows: { id: string; actor: object; action: string; after: object }[]
      nextCursor: string | null
    }
  const all = await list({})
  expect(all.rows).toHaveLength(8)
  expect(all.rows[7]).toMatchObject({ action: 'tenant.create', target: audited.id, targetName: 'Test' })
  expect((await list({ target: 'shop 3' })).rows).toMatchObject([{ targetName: 'Shop 3' }])
  const [event] = all.rows
  const one = await boss.query('audit.get', { tenant: audited.slug, id: event?.id })
  expect(one.data).toEqual(event)
  expect(all.rows[0]).toMatchObject({
    actor: { kind: 'member', email: boss.email },
    action: 'site.create',
    after: { name: 'Shop 6' },
  })
  const { ids } = await readPages((cursor) => list({ limit: 3, cursor }))
  expect(ids).toEqual(all.rows.map(({ id }) => id))
  expect((await list({ actor: boss.email })).rows).toHaveLength(7)
  expect((await list({ action: 'tenant.' })).rows).toHaveLength(1)
  expect((await list({ text: 'shop 3' })).rows).toHaveLength(1)
  expect((await list({ text: 'shop_3' })).rows).toHaveLength(0)
  expect((await list({ actor: 'nobody' })).rows).toHaveLength(0)
  const now = Math.floor(Date.now() / 1000)
  expect((await list({ from: now - 3600, to: now + 60 })).rows).toHaveLength(8)
  expect((await list({ to: now - 3600 })).rows).toHaveLength(0)
  expect((await list({ from: now + 60 })).rows).toHaveLength(0)
})
