import { expect, test } from 'vitest'
import { newNonce } from '../../../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../../../test/support/make.ts'
import { makeMember, makeOwnedTenant } from '../../../../test/support/tenant.ts'
import { testApp } from '../../../../test/support/testApp.ts'
import { written } from '../../../../test/support/written.ts'
import type { SiteAttention } from './attention.ts'

const app = testApp()

const intentWith = (secret: string, hostname = 'shop.example') =>
  app.client.post(
    '/intents',
    { action: 'a', nonce: newNonce(), hostname },
    { authorization: `Bearer ${secret}`, 'user-agent': 'tollgate-node/1.0.0' },
  )

/** A site whose secret was replaced and has ended, and whose server was refused with it. */
async function makeLaggingSite(tenantId: string, calls: number): Promise<MadeSite> {
  const site = await makeSite(app.ctx, { tenantId })
  await app.sql.query("update secret set expires_at = now() - interval '5 days' where site_id = $1", [site.siteId])
  app.ctx.invalidations.publish(tenantId)
  for (let n = 0; n < calls; n++) expect((await intentWith(site.secret)).status).toBe(401)
  await written(app)
  return site
}

test('a server with an ended secret needs attention until its calls stop, and only readers of refusals see it', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeLaggingSite(tenant.id, 3)
  await makeSite(app.ctx, { tenantId: tenant.id })
  const attention = async (who = owner) =>
    (await who.query('sites.attention', { tenant: tenant.slug })).data as SiteAttention[]
  await expect.poll(() => attention()).toHaveLength(1)
  const [found] = await attention()
  expect(found).toMatchObject({
    id: site.siteId,
    pausedSince: null,
    errors: [{ mistake: 'ended-secret', count: 3, daily: 3, endedAt: expect.any(Number) }],
  })
  expect(await attention(await makeMember(app, tenant, 'billing'))).toEqual([])

  await app.sql.query("update secret set refused_at = refused_at - interval '25 hours' where site_id = $1", [
    site.siteId,
  ])
  expect(await attention()).toEqual([])
})

test('a hostname that the backend used and that is not allowed needs attention for a week, until it is allowed', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const attention = async () => (await owner.query('sites.attention', { tenant: tenant.slug })).data as SiteAttention[]
  for (let n = 0; n < 2; n++) expect((await intentWith(site.secret, 'beta.example')).status).toBe(422)
  await written(app)
  await app.sql.query("update refusal set at = at - interval '3 days' where site_id = $1", [site.siteId])
  await expect
    .poll(attention)
    .toMatchObject([{ id: site.siteId, errors: [{ mistake: 'unlisted-host', hostname: 'beta.example', count: 2 }] }])

  await owner.mutate('hostnames.add', { tenant: tenant.slug, site: site.siteId, hostname: 'beta.example' })
  expect(await attention()).toEqual([])
})

test('a paused site needs attention while it had traffic in the last week', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const [busy, idle] = [
    await makeSite(app.ctx, { tenantId: tenant.id }),
    await makeSite(app.ctx, { tenantId: tenant.id }),
  ]
  expect((await app.client.siteverify(busy, await app.client.earn(busy))).status).toBe(200)
  await written(app)
  for (const { siteId } of [busy, idle]) await owner.mutate('sites.pause', { tenant: tenant.slug, site: siteId })
  const attention = async () => (await owner.query('sites.attention', { tenant: tenant.slug })).data
  expect(await attention()).toMatchObject([
    { id: busy.siteId, pausedSince: expect.any(Number), completed: 1, errors: [] },
  ])
  await app.sql.query('update usage_day set day = day - 8 where site_id = $1', [busy.siteId])
  expect(await attention()).toEqual([])
})
