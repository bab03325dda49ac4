import { beforeAll, expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { makeStaff } from '../../../test/support/staff.ts'
import { makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { admitOperator, type OperatorCtx } from '../access.ts'
import { addNetwork } from './add.ts'
import { listNetworks } from './list.ts'
import type { ListOwner } from './owner.ts'
import { removeNetwork } from './remove.ts'

const app = testApp()
let operator: OperatorCtx
beforeAll(async () => {
  operator = admitOperator(app.ctx, 'test')
})

const DEPLOYMENT: ListOwner = { site: null }
async function newOwner(): Promise<ListOwner> {
  const { siteId: id, tenantId } = await makeSite(app.ctx)
  return { site: { id, tenantId } }
}
const add = (owner: ListOwner, network: string) =>
  addNetwork(operator, owner, { network, verdict: 'dear', note: '' }).then(
    () => 'added',
    (error: { code: string }) => error.code,
  )
const networksOf = async (owner: ListOwner) =>
  (await listNetworks(app.ctx, owner, { limit: 5000 })).rows.map(({ network }) => network)

test('a network is on a list once, in whatever notation, also when it is added twice at once', async () => {
  for (const owner of [await newOwner(), DEPLOYMENT]) {
    const twice = ['203.0.113.0/24', '203.0.113.99/24', '::ffff:203.0.113.0/120', '203.0.113.0/24']
    const added = await Promise.all(twice.map((network) => add(owner, network)))
    expect(added.toSorted()).toEqual(['added', 'network-listed', 'network-listed', 'network-listed'])
    expect(await networksOf(owner)).toEqual(['203.0.113.0/24'])
  }
})

test('refuses ranges that are too wide, and what is not a range', async () => {
  const owner = await newOwner()
  expect(await add(owner, '3.0.0.0/7')).toBe('network-too-wide')
  expect(await add(owner, '2001::/15')).toBe('network-too-wide')
  expect(await add(owner, '0.0.0.0/0')).toBe('network-too-wide')
  expect(await add(owner, 'AS64500')).toBe('network-invalid')
  expect(await add(owner, '3.0.0.0/8')).toBe('added')
  expect(await add(owner, '2001::/16')).toBe('added')
  await expect(app.sql.query("update network_rule set network = '203.0.113.0/33'")).rejects.toThrow('cidr')
})

test('a list has a bound, also when networks are added at once', async () => {
  const owner = await newOwner()
  for (let i = 0; i < 198; i++)
    await app.sql.query(
      `insert into network_rule (id, tenant_id, site_id, network, verdict, note, actor_type, actor_id)
       values (gen_random_uuid(), $1, $2, $3, 'dear', '', 'operator', 'test')`,
      [owner.site?.tenantId, owner.site?.id, `10.0.${i}.0/24`],
    )
  const added = await Promise.all([1, 2, 3, 4].map((n) => add(owner, `10.1.${n}.0/24`)))
  expect(added.toSorted()).toEqual(['added', 'added', 'too-many-networks', 'too-many-networks'])
})

test('lists are in the order of their networks, by pages, and have no networks of others', async () => {
  const [owner, other] = [await newOwner(), await newOwner()]
  for (const network of ['2001:db8::/32', '203.0.113.0/24', '9.0.0.0/8', '203.0.113.0/25']) await add(owner, network)
  await add(other, '198.51.100.0/24')
  const sorted = ['9.0.0.0/8', '203.0.113.0/24', '203.0.113.0/25', '2001:db8::/32']
  expect(await networksOf(owner)).toEqual(sorted)
  const first = await listNetworks(app.ctx, owner, { limit: 3 })
  expect(first.nextCursor).toBe('203.0.113.0/25')
  const { rows } = await listNetworks(app.ctx, owner, { limit: 3, cursor: first.nextCursor ?? '' })
  expect(rows.map(({ network }) => network)).toEqual(sorted.slice(3))
  // a site of another tenant is no way to it either
  const mixed: ListOwner = { site: { id: owner.site?.id ?? '', tenantId: other.site?.tenantId ?? '' } }
  expect(await networksOf(mixed)).toEqual([])
  await expect(removeNetwork(operator, mixed, { network: '9.0.0.0/8' })).rejects.toThrow('is not on the list')
})

test('a network names the more specific ones that override it, of its own list only', async () => {
  const [owner, other] = [await newOwner(), await newOwner()]
  await add(owner, '10.0.0.0/8')
  await add(owner, '10.1.0.0/16')
  const allow = (of: ListOwner, network: string) => addNetwork(operator, of, { network, verdict: 'allow', note: '' })
  await allow(owner, '10.1.2.0/24')
  await allow(other, '10.1.3.0/24')
  const { rows } = await listNetworks(app.ctx, owner, { limit: 10 })
  expect(rows.map(({ network, overriddenBy }) => [network, overriddenBy])).toEqual([
    ['10.0.0.0/8', ['10.1.2.0/24']],
    ['10.1.0.0/16', ['10.1.2.0/24']],
    ['10.1.2.0/24', []],
  ])
})

test('changes are in the audit of the tenant, and the list names members only', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const developer = await makeMember(app, tenant, 'developer')
  const { siteId: site } = await makeSite(app.ctx, { tenantId: tenant.id })
  const input = { tenant: tenant.slug, site, network: '203.0.113.0/24' }
  await owner.mutate('networks.add', { ...input, verdict: 'deny', note: 'Scrapers' })
  await owner.mutate('networks.change', { ...input, verdict: 'dear', note: 'Scrapers' })
  await add({ site: { id: site, tenantId: tenant.id } }, '198.51.100.0/24')
  const { rows } = (await developer.query('networks.list', { tenant: tenant.slug, site })).data as {
    rows: { network: string; actor: { kind: string; name: string | null } }[]
  }
  expect(rows.map(({ network, actor }) => [network, actor.kind, actor.name !== null])).toEqual([
    ['198.51.100.0/24', 'operator', false],
    ['203.0.113.0/24', 'member', true],
  ])
  await owner.mutate('networks.remove', input)
  const events = await app.sql.query<{ action: string; before: object; after: object }>(
    `select action, before, after from audit_event where tenant_id = $1 and action like 'network.%' order by seq`,
    [tenant.id],
  )
  const [network, note] = ['203.0.113.0/24', 'Scrapers']
  expect(events.rows).toMatchObject([
    { action: 'network.add', after: { network, verdict: 'deny', note } },
    { action: 'network.change', before: { verdict: 'deny' }, after: { verdict: 'dear' } },
    { action: 'network.add', after: { network: '198.51.100.0/24' } },
    { action: 'network.remove', before: { network, verdict: 'dear', note } },
  ])
})

test('a preview says what is covered, and warns of the person’s own address', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const { siteId: site } = await makeSite(app.ctx, { tenantId: tenant.id })
  const preview = async (network: string) =>
    (await owner.query('networks.preview', { tenant: tenant.slug, site, network })).data
  // the browser of a test has an address of 10.0.0.0/8
  expect(await preview('10.1.2.3/8')).toMatchObject({ network: '10.0.0.0/8', family: 4, bits: 8, listed: null })
  expect(await preview('10.1.2.3/8')).toMatchObject({ yours: expect.stringMatching(/^10\./) })
  expect(await preview('203.0.113.0/24')).toMatchObject({ yours: null })
  await owner.mutate('networks.add', { tenant: tenant.slug, site, network: '10.0.0.0/8', verdict: 'allow', note: '' })
  expect(await preview('10.0.0.0/8')).toMatchObject({ listed: 'allow' })
  expect((await owner.query('networks.list', { tenant: tenant.slug, site })).data).toMatchObject({
    rows: [{ network: '10.0.0.0/8', yours: true }],
  })
})

test('a lead changes the deployment’s list with a reason, which is the note', async () => {
  const lead = await makeStaff(app, 'lead')
  const entry = { network: '192.0.2.0/24', verdict: 'deny' }
  expect((await lead.mutate('staff.networks.add', { ...entry, reason: 'x' })).reason).toBe('reason-invalid')
  expect((await lead.mutate('staff.networks.add', { ...entry, reason: 'Ticket 4711' })).status).toBe(200)
  const { rows } = (await lead.query('staff.networks.list', {})).data as { rows: object[] }
  expect(rows).toContainEqual(
    expect.objectContaining({ ...entry, note: 'Ticket 4711', actor: expect.objectContaining({ kind: 'staff' }) }),
  )
  expect((await lead.query('staff.networks.find', { address: '192.0.2.7' })).data).toMatchObject([
    { list: 'deployment', network: '192.0.2.0/24', verdict: 'deny' },
  ])
  await lead.mutate('staff.networks.remove', { network: '192.0.2.0/24', reason: 'They left' })
  const events = await app.sql.query<{ action: string; after: object }>(
    `select action, after from audit_event where tenant_id is null and target = 'deployment' and actor_type = 'staff' order by seq`,
  )
  expect(events.rows).toEqual([
    { action: 'network.add', after: { ...entry, note: 'Ticket 4711' } },
    { action: 'network.remove', after: { reason: 'They left' } },
  ])
})
