import { expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../../test/support/make.ts'
import { makeMember, makeTenant } from '../../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../../test/support/testApp.ts'
import { written } from '../../../../test/support/written.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const owner = setUp(() => makeMember(app, tenant, 'owner'))

const newSite = () => makeSite(app.ctx, { tenantId: tenant.id })
const at = (site: MadeSite) => ({ tenant: tenant.slug, site: site.siteId })
const open = async (site: MadeSite, hostname: unknown) => (await app.client.intent(site, { hostname })).status
const refused = async (site: MadeSite) => {
  await written(app)
  return ((await owner.query('hostnames.refused', at(site))).data as { hostname: string; count: number }[]).map(
    ({ hostname, count }) => `${hostname} ${count}`,
  )
}

test('lists a refused hostname until it is allowed, and then accepts it', async () => {
  const site = await newSite()
  expect(await open(site, 'new.example')).toBe(422)
  expect(await open(site, 'new.example')).toBe(422)
  expect(await open(site, 'other.example')).toBe(422)
  expect(await refused(site)).toEqual(['other.example 1', 'new.example 2'])

  await owner.mutate('hostnames.add', { ...at(site), hostname: 'new.example' })
  expect(await open(site, 'new.example')).toBe(200)
  expect(await refused(site)).toEqual(['other.example 1'])
})

test('records only hostnames, and only for the site of the secret', async () => {
  const [site, neighbour] = [await newSite(), await newSite()]
  for (const text of ['https://shop.example', 'Shop.example', '*.example', '', 7, null]) await open(site, text)
  await app.client.intent({ ...site, secret: 'tg_secret_wrong' }, { hostname: 'guess.example' })
  expect(await refused(site)).toEqual([])
  await open(site, 'mine.example')
  expect(await refused(neighbour)).toEqual([])
})

test('lists the latest 20 of many refused hostnames', async () => {
  const site = await newSite()
  for (let i = 1; i <= 25; i++) await open(site, `h${i}.example`)
  const kept = await refused(site)
  expect(kept).toHaveLength(20)
  expect(kept.at(0)).toBe('h25.example 1')
  expect(kept.at(-1)).toBe('h6.example 1')
})

test('marks hostnames that only visitors sent, which do not displace those that the backend used', async () => {
  const site = await newSite()
  const { body } = await app.client.intent(site)
  await open(site, 'mine.example')
  for (let i = 0; i < 25; i++)
    expect(
      (await app.client.challenge(site, body['intent_id'], { origin: `https://evil${i}.example` })).body['error'],
    ).toBe('origin-not-allowed')
  // a field that /challenge does not have
  await app.client.post(
    '/challenge',
    { sitekey: site.sitekey, intent_id: body['intent_id'], hostname: 'field.example' },
    { origin: 'https://shop.example' },
  )
  // sent by both
  await app.client.challenge(site, body['intent_id'], { origin: 'https://mine.example' })
  await written(app)
  const rows = (await owner.query('hostnames.refused', at(site))).data as { hostname: string; claimed: boolean }[]
  expect(rows).toHaveLength(20)
  expect(rows.filter(({ claimed }) => !claimed)).toMatchObject([{ hostname: 'mine.example' }])
})
