import { expect, test } from 'vitest'
import { createBrowser } from '../../../test/support/browser.ts'
import { makeSite } from '../../../test/support/make.ts'
import { makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import type { Reference } from './find.ts'

const app = testApp()

/** The reference of a request of a new tenant that was refused for its hostname. */
async function refuse() {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const { headers } = await app.client.intent(site, { hostname: 'new.example' })
  await written(app)
  const request = headers.get('x-request-id') ?? ''
  return { tenant, owner, site, request, reference: request.slice(-8) }
}

test('tells strangers the code only, and members of the tenant who may read refusals the rest', async () => {
  const { tenant, owner, request, reference } = await refuse()
  const get = async (person: { query: (name: string, input: object) => Promise<{ data: unknown }> }) =>
    (await person.query('references.get', { reference })).data as Reference
  const stranger = await get(createBrowser(app))
  expect(stranger).toEqual({ code: 'bad-field', denied: false, at: expect.any(Number), own: [], traces: [] })
  expect(await get((await makeOwnedTenant(app)).owner)).toEqual(stranger)
  expect(await get(await makeMember(app, tenant, 'billing'))).toEqual(stranger)
  expect(await get(owner)).toMatchObject({
    own: [{ id: request, tenant: { slug: tenant.slug }, hostname: 'new.example', claimed: false, mayAllow: true }],
    traces: [],
  })
})

test('says that a list denies the network, for which waiting does not help', async () => {
  const { owner, tenant } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const { body } = await app.client.intent(site)
  const network = { network: '203.0.113.0/24', verdict: 'deny', note: '' }
  await owner.mutate('networks.add', { tenant: tenant.slug, site: site.siteId, ...network })
  const refused = await app.client.challenge(site, body['intent_id'], { address: '203.0.113.9' })
  expect(refused.status).toBe(429)
  await written(app)
  const reference = refused.headers.get('x-request-id')?.slice(-8)
  expect((await createBrowser(app).query('references.get', { reference })).data).toMatchObject({
    code: 'rate-limited',
    denied: true,
  })
})

test('limits the look-ups of one network, and not those of others', async () => {
  const look = async (reference: number, network: string) => {
    const input = encodeURIComponent(JSON.stringify({ reference: String(reference).padStart(8, '0') }))
    const headers = { 'x-forwarded-for': network }
    return (await createBrowser(app).send('GET', `/trpc/references.get?input=${input}`, undefined, headers)).status
  }
  const codes: number[] = []
  for (let i = 0; i < 40; i++) codes.push(await look(i, '192.0.2.7'))
  expect(codes.filter((code) => code === 200)).toHaveLength(30)
  expect(codes.at(-1)).toBe(429)
  expect(await look(0, '192.0.2.8')).toBe(200)
})
