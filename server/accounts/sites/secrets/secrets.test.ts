import { expect, test } from 'vitest'
import { openOwnApp } from '../../../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../../../test/support/make.ts'
import { makeMember, makeTenant } from '../../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../../test/support/testApp.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const owner = setUp(() => makeMember(app, tenant, 'owner'))

const newSite = () => makeSite(app.ctx, { tenantId: tenant.id })
const at = (site: MadeSite) => ({ tenant: tenant.slug, site: site.siteId })
const opens = async (site: MadeSite, secret = site.secret, client = app.client) =>
  (await client.intent({ ...site, secret })).status
const rotate = (site: MadeSite, overlap: number) => owner.mutate('secrets.rotate', { ...at(site), overlap })
const secretOf = ({ data }: { data: unknown }) => (data as { secret: string }).secret
const list = async (site: MadeSite) =>
  ((await owner.query('secrets.list', at(site))).data as { rows: { id: string; last4: string; state: string }[] }).rows

test('accepts both secrets during the overlap of a rotation and only the new one afterwards', async () => {
  const site = await newSite()
  const fresh = secretOf(await rotate(site, 3600))
  expect([await opens(site), await opens(site, fresh)]).toEqual([200, 200])
  expect((await list(site)).map(({ state }) => state)).toEqual(['live', 'ending'])

  await app.sql.query(
    `update secret set expires_at = now() - interval '1 s' where site_id = $1 and expires_at is not null`,
    [site.siteId],
  )
  app.ctx.invalidations.publish(tenant.id)
  expect([await opens(site), await opens(site, fresh)]).toEqual([401, 200])
  expect((await list(site)).map(({ state }) => state)).toEqual(['live', 'ended'])
})

test('refuses the old secret immediately after a rotation without overlap', async () => {
  const site = await newSite()
  expect(await opens(site)).toBe(200)
  const fresh = secretOf(await rotate(site, 0))
  expect([await opens(site), await opens(site, fresh)]).toEqual([401, 200])
})

test('a developer may rotate with an overlap, but not without: that revokes the other secrets', async () => {
  const site = await newSite()
  const developer = await makeMember(app, tenant, 'developer')
  const rotation = (overlap: number) => developer.mutate('secrets.rotate', { ...at(site), overlap })
  expect(await rotation(0)).toMatchObject({ code: 'FORBIDDEN', reason: 'role-required' })
  expect(await opens(site)).toBe(200)
  expect((await rotation(3600)).status).toBe(200)
  expect((await list(site)).map(({ state }) => state)).toEqual(['live', 'ending'])
})

test('shows when each secret was last used', async () => {
  const site = await newSite()
  const lastUses = async () =>
    ((await owner.query('secrets.list', at(site))).data as { rows: { lastUsedAt: number | null }[] }).rows.map(
      ({ lastUsedAt }) => lastUsedAt,
    )
  expect(await lastUses()).toEqual([null])
  await opens(site)
  const now = Math.floor(app.ctx.clock.now() / 1000)
  await expect.poll(lastUses).toEqual([expect.toSatisfy((at: number) => Math.abs(at - now) < 60)])
  await rotate(site, 3600)
  expect(await lastUses()).toEqual([null, expect.any(Number)])
})

test('accepts an overlap of whole seconds up to 30 days', async () => {
  const site = await newSite()
  for (const overlap of [-1, 1.5, 30 * 86_400 + 1]) expect((await rotate(site, overlap)).code).toBe('BAD_REQUEST')
  expect(await list(site)).toHaveLength(1)
  expect((await rotate(site, 30 * 86_400)).status).toBe(200)
})

test('allows two active secrets, even for ten concurrent requests', async () => {
  const site = await newSite()
  const issued = await Promise.all(Array.from({ length: 10 }, () => owner.mutate('secrets.issue', at(site))))
  expect(issued.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(issued.filter(({ code }) => code === 'CONFLICT')).toHaveLength(9)
  expect((await rotate(site, 3600)).code).toBe('CONFLICT')
  expect(await list(site)).toHaveLength(2)
})

test('lists only the last four characters of a secret', async () => {
  const site = await newSite()
  const reply = await owner.query('secrets.list', at(site))
  expect(JSON.stringify(reply.data)).toContain(site.secret.slice(-4))
  expect(JSON.stringify(reply.data)).not.toContain(site.secret.slice(10, 30))
  const rows = await app.rows('select before, after from audit_event where tenant_id = $1', [tenant.id])
  expect(JSON.stringify(rows)).not.toContain(site.secret.slice(10, 30))
})

test('a revoked secret, a removed hostname and a paused site are refused immediately here and within 10 s on another node', async () => {
  const other = await openOwnApp({ DATABASE_URL: app.databaseUrl })
  const [revoked, bare, paused] = [await newSite(), await newSite(), await newSite()]
  const statuses = (client = app.client) =>
    Promise.all([revoked, bare, paused].map((site) => opens(site, site.secret, client)))
  expect([await statuses(), await statuses(other.client)].flat()).toEqual(Array(6).fill(200))

  const [secret] = await list(revoked)
  await owner.mutate('secrets.revoke', { ...at(revoked), secret: secret?.id })
  await owner.mutate('hostnames.remove', { ...at(bare), hostname: 'shop.example' })
  await owner.mutate('sites.pause', at(paused))
  expect(await statuses()).toEqual([401, 422, 403])
  await expect.poll(() => statuses(other.client), { timeout: 10_000 }).toEqual([401, 422, 403])

  await owner.mutate('sites.resume', at(paused))
  await owner.mutate('hostnames.add', { ...at(bare), hostname: 'shop.example' })
  expect(await statuses()).toEqual([401, 200, 200])
})

test('refuses to revoke a secret of another site', async () => {
  const [mine, other] = [await newSite(), await makeSite(app.ctx)]
  const rows = await app.rows<{ id: string }>('select id from secret where site_id = $1', [other.siteId])
  expect((await owner.mutate('secrets.revoke', { ...at(mine), secret: rows[0]?.id })).code).toBe('NOT_FOUND')
  expect(await opens(other)).toBe(200)
})
