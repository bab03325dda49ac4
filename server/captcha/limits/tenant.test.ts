import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/support/app.ts'
import { newNonce } from '../../../test/support/client.ts'
import { makeSite } from '../../../test/support/make.ts'
import { operate } from '../../../test/support/operate.ts'
import { makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { planBounds } from '../../accounts/plans/bounds.ts'

/** What all sites of a tenant may do together. */

const app = testApp({ SITES_PER_TENANT: '4', INTENTS_PER_UNIT: '2400' })

const limited = { error: 'rate-limited' }

test('the bounds grow with the plan, and every tenant has the settings’', () => {
  const settings = { tenantCallsPerSecond: 1000, sitesPerTenant: 50, intentsPerUnit: 50 }
  expect(planBounds(settings, { quota: 1000, balance: 0 })).toEqual({
    callsPerSecond: 1000,
    sites: 50,
    intentsPerHour: 2084,
  })
  expect(planBounds(settings, { quota: 0, balance: 0 })).toMatchObject({ intentsPerHour: 1000 })
  expect(planBounds(settings, { quota: 259_200_000, balance: 0 })).toMatchObject({
    callsPerSecond: 10_000,
    sites: 25_920,
  })
})

test('more sites are not more calls: each endpoint has one rate for the tenant', async () => {
  const strict = await openTestApp({ DATABASE_URL: app.databaseUrl, TENANT_CALLS_PER_SECOND: '5' })
  try {
    const one = await makeSite(strict.ctx)
    const sites = [one, await makeSite(strict.ctx, { tenantId: one.tenantId })]
    const other = await makeSite(strict.ctx)
    const nonce = newNonce()
    const first = await strict.client.intent(one, { nonce })
    const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => strict.client.intent(sites[i % 2] ?? one)))
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.body).toEqual(limited)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    // neither another tenant's call nor a repetition is refused
    expect((await strict.client.intent(other)).status).toBe(200)
    expect((await strict.client.intent(one, { nonce })).text).toBe(first.text)
  } finally {
    await strict.close()
  }
})

test('intents are bounded by the units of quota and balance, counted by the hour; refusals and repetitions do not count', async () => {
  const site = await makeSite(app.ctx, { quota: 11 })
  const nonce = newNonce()
  await app.client.intent(site, { nonce })
  const fill = async (n: number) => {
    for (let i = 0; i < n; i += 50)
      await Promise.all(Array.from({ length: Math.min(50, n - i) }, () => app.client.intent(site)))
  }
  for (let i = 0; i < 20; i++) {
    await app.client.intent(site, { nonce })
    await app.client.intent(site, { nonce, action: 'other' })
  }
  // 11 × 2400 ÷ 24
  await fill(1098)
  expect((await app.client.intent(site)).status).toBe(200)
  const refused = await app.client.intent(site)
  expect([refused.status, refused.body]).toEqual([429, limited])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  // a unit more, and there is room again as soon as nodes know of it
  await operate(app).topUp(site.tenantId, 1)
  app.ctx.invalidations.publish(site.tenantId)
  expect((await app.client.intent(site)).status).toBe(200)
})

test('a tenant has so many sites, also when they are created at the same time', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const create = () => owner.mutate('sites.create', { tenant: tenant.slug, name: 'Shop', hostnames: ['shop.example'] })
  const replies = await Promise.all(Array.from({ length: 7 }, create))
  const refused = replies.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(3)
  expect(refused[0]).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('allows 4 sites') })
  await app.ctx.prisma.tenant.update({ where: { id: tenant.id }, data: { monthlyQuota: 50_000 } })
  expect((await create()).status).toBe(200)
})
