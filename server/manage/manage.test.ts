import { expect, test } from 'vitest'
import { makeSite } from '../../test/support/make.ts'
import { callManaged, makeKey, sendManaged } from '../../test/support/manage.ts'
import { makeMember, makeOwnedTenant } from '../../test/support/tenant.ts'
import { setUp, testApp } from '../../test/support/testApp.ts'
import { untilWaitedFor } from '../../test/support/waiting.ts'
import { newApiKey } from '../accounts/sites/keys.ts'
import { SCOPE_NAMES } from '../contract/scopes.ts'

const app = testApp()
const owned = setUp(() => makeOwnedTenant(app))

/** A key of a tenant of its own, whose limits no other test uses. */
async function makeOwn(options: Parameters<typeof makeKey>[2] = {}) {
  const { tenant, owner } = await makeOwnedTenant(app)
  const made = await makeKey(app, { tenantId: tenant.id, createdBy: owner.userId }, options)
  return {
    tenant,
    owner,
    ...made,
    call: (name: string, input?: object, headers?: Record<string, string>) =>
      callManaged(app, made.key, name, input, headers),
  }
}

test('a key made in the console works at once, says what it is for, and is shown with its last use', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const create = { tenant: tenant.slug, name: ' CI ', scopes: ['sites:read'], sites: [site.siteId], days: 30 }
  const { id, key } = (await owner.mutate('keys.create', create)).data as { id: string; key: string }
  expect(key).toMatch(/^tg_manage_[0-9A-Za-z]{49}$/)
  const { status, body } = await callManaged(app, key, 'keys.whoami')
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      key: { id, name: 'CI' },
      tenant: { id: tenant.id, slug: tenant.slug, name: 'Test' },
      scopes: ['sites:read'],
      sites: [site.siteId],
      expires_at: expect.any(Number),
    },
  })
  const [row] = ((await owner.query('keys.list', { tenant: tenant.slug })).data as { rows: object[] }).rows
  expect(row).toMatchObject({ id, last4: key.slice(-4), state: 'active', usedFrom: '127.0.0.0/24' })
  expect(JSON.stringify(row)).not.toContain(key)
  expect((await owner.mutate('keys.revoke', { tenant: tenant.slug, key: id })).status).toBe(200)
  expect(await callManaged(app, key, 'keys.whoami')).toMatchObject({ status: 401, error: 'unauthorized' })
})

test('a key is made with what its creator may do, and never expires only for an owner', async () => {
  const { tenant } = owned
  const admin = await makeMember(app, tenant, 'admin')
  const ask = (input: object) =>
    admin.mutate('keys.create', { tenant: tenant.slug, name: 'Key', scopes: ['sites:read'], ...input })
  expect(await ask({ days: null })).toMatchObject({ reason: 'key-expiry-invalid' })
  expect(await ask({ days: 367 })).toMatchObject({ reason: 'key-expiry-invalid' })
  expect(await ask({ name: '' })).toMatchObject({ reason: 'name-invalid' })
  expect(await ask({ sites: [(await makeSite(app.ctx)).siteId] })).toMatchObject({ reason: 'site-not-found' })
  expect(
    (await owned.owner.mutate('keys.create', { tenant: tenant.slug, name: 'K', scopes: ['audit:read'], days: null }))
      .status,
  ).toBe(200)
})

test('of requests that create the fifty-first key at once, none is let through', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  await Promise.all(Array.from({ length: 48 }, () => makeKey(app, { tenantId: tenant.id, createdBy: owner.userId })))
  const input = { tenant: tenant.slug, name: 'One more', scopes: ['sites:read'] }
  const made = await Promise.all(Array.from({ length: 6 }, () => owner.mutate('keys.create', input)))
  expect(made.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(made.filter(({ reason }) => reason === 'too-many-keys')).toHaveLength(4)
})

test('a change is audited with the key as the actor, and its name is found', async () => {
  const { tenant, owner, id, call } = await makeOwn()
  const created = await call('sites.create', { name: 'Shop', hostnames: ['shop.example'] })
  expect(created).toMatchObject({ status: 200, body: { slug: 'shop', secret: expect.stringMatching(/^tg_secret_/) } })
  expect((await call('sites.create', { name: 'Shop', hostnames: ['shop.example'] })).body.slug).toMatch(
    /^shop-[0-9a-z]{6}$/,
  )
  expect(await call('sites.create', { name: 'Shop', slug: 'shop', hostnames: ['shop.example'] })).toMatchObject({
    status: 409,
    error: 'slug-taken',
  })
  const input = { tenant: tenant.slug, actor: `Key ${id}`, action: 'site.create' }
  const { rows } = (await owner.query('audit.list', input)).data as { rows: object[] }
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({ actor: { kind: 'key', name: `Key ${id}`, email: null }, target: expect.any(String) })
})

test('a POST is done once for an Idempotency-Key, also by requests at once', async () => {
  const { call } = await makeOwn()
  const { body: site } = await call('sites.create', { name: 'Shop', hostnames: ['shop.example'] })
  const rotate = (overlap: number) =>
    call('secrets.rotate', { site: site.id, overlap }, { 'idempotency-key': 'deploy-7' })
  const [one, two, three] = await Promise.all([rotate(3600), rotate(3600), rotate(3600)])
  expect(one.status).toBe(200)
  expect([two.body, three.body]).toEqual([one.body, one.body])
  expect((await call('secrets.list', { site: site.id })).body.rows).toHaveLength(2)
  expect(await rotate(0)).toMatchObject({ status: 409, error: 'repeated-differently' })
  const [row] = await app.rows<{ reply: string }>(`select reply from api_reply where name = 'deploy-7'`)
  expect(row?.reply).not.toContain(one.body.secret)

  const add = () => call('hostnames.add', { site: site.id, hostname: 'new.example' }, { 'idempotency-key': 'add' })
  const [added, again] = [await add(), await add()]
  expect([added.status, again.body]).toEqual([200, added.body])

  await app.sql.query(`update api_reply set created_at = now() - interval '25 hours' where name = 'deploy-7'`)
  expect(await rotate(0)).toMatchObject({ status: 200 })
})

test('a repetition gets a secret again only while the creator of the key may have it', async () => {
  const { call, tenant, owner } = await makeOwn()
  const { siteId } = await makeSite(app.ctx, { tenantId: tenant.id })
  const issue = () => call('secrets.issue', { site: siteId }, { 'idempotency-key': 'once' })
  const first = await issue()
  expect(await issue()).toMatchObject({ status: 200, body: first.body })
  await app.sql.query(`update member set role = 'viewer' where user_id = $1`, [owner.userId])
  expect(await issue()).toMatchObject({ status: 403, error: 'creator-role-required' })
})

test('a refused request is not kept for its Idempotency-Key', async () => {
  const { call } = await makeOwn()
  const ask = (slug: string) =>
    call('sites.create', { name: 'Shop', slug, hostnames: ['shop.example'] }, { 'idempotency-key': 'k1' })
  expect(await ask('Not a slug')).toMatchObject({ status: 422, error: 'slug-invalid' })
  expect(await ask('shop')).toMatchObject({ status: 200 })
  expect(await call('sites.create', { name: 'A', hostnames: ['a.example'] }, { 'idempotency-key': 'ä' })).toMatchObject(
    {
      status: 422,
      body: { field: 'Idempotency-Key' },
    },
  )
})

test('what is wrong with a request is said with the field, in the names of this API', async () => {
  const { key, call } = await makeOwn()
  const { body: site } = await call('sites.create', { name: 'Shop', hostnames: ['shop.example'] })
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    sendManaged(app, key, method, path, { body, ...(headers && { headers }) })
  expect(await send('POST', '/sites', '{"name":')).toMatchObject({ status: 400, error: 'bad-request' })
  expect(await send('POST', '/sites', '[]')).toMatchObject({ status: 400, error: 'bad-request' })
  expect(await send('POST', '/sites', '{"name":"a","name":"b"}')).toMatchObject({ status: 400, error: 'bad-request' })
  expect(await send('POST', '/sites', 'name=x', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
  expect(await send('POST', '/sites', { nam: 'x' })).toMatchObject({ status: 422, body: { field: 'nam' } })
  expect(await send('POST', '/sites', { name: 'x' })).toMatchObject({ status: 422, body: { field: 'hostnames' } })
  expect(await send('PUT', `/sites/${site.id}/attack_mode`, { on: 'false' })).toMatchObject({
    status: 422,
    body: { field: 'on' },
  })
  const { body: policy } = await call('sites.policy', { site: site.id })
  expect(await send('PUT', `/sites/${site.id}/policy`, { policy: { ...policy, base_work: -1 } })).toMatchObject({
    status: 422,
    body: { field: 'policy.base_work' },
  })
  expect(await send('GET', '/sites?limit=201')).toMatchObject({ status: 422, body: { field: 'limit' } })
  expect(await send('GET', '/sites?limit=1&limit=2')).toMatchObject({ status: 422, body: { field: 'limit' } })
  expect(await send('GET', '/sites/not-an-id')).toMatchObject({ status: 422, body: { field: 'site' } })
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['PUT', '/sites'],
  ] as const)
    expect(await send(method, path)).toMatchObject({
      status: 404,
      body: { error: 'not-found', message: expect.stringContaining('no such call') },
    })
  expect(await send('POST', '/sites', { name: 'x'.repeat(70_000) })).toMatchObject({
    status: 413,
    body: { error: 'payload-too-large', message: 'The body may have at most 64 KiB.' },
  })
})

test('pages of a list are stable while rows are added', async () => {
  const { call } = await makeOwn({ scopes: SCOPE_NAMES.filter((scope) => scope.startsWith('sites')) })
  const add = (name: string) => call('sites.create', { name, hostnames: ['shop.example'] })
  for (const name of ['A', 'B', 'C']) await add(name)
  const first = await call('sites.list', { limit: 2 })
  await add('D')
  const second = await call('sites.list', { limit: 2, cursor: first.body.next_cursor })
  const names = [...first.body.rows, ...second.body.rows].map(({ name }: { name: string }) => name)
  expect({ names, next: second.body.next_cursor }).toEqual({ names: ['A', 'B', 'C', 'D'], next: null })
})

test('a key has twenty calls a second, and says when it may go on', async () => {
  const { call } = await makeOwn()
  const replies = await Promise.all(Array.from({ length: 60 }, () => call('keys.whoami')))
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({
    error: 'calls-too-fast',
    body: { message: expect.stringContaining('Try again in 1 second.') },
  })
  expect(refused[0]?.headers.get('retry-after')).toBe('1')
})

test('an address that guesses keys is slowed down, while a key that exists goes on', async () => {
  const replies = await Promise.all(Array.from({ length: 80 }, () => callManaged(app, newApiKey(), 'keys.whoami')))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]))
  const { call } = await makeOwn()
  expect((await call('keys.whoami')).status).toBe(200)
})

test.each([
  ['sites.rename', { name: 'New' }],
  ['sites.pause', {}],
  ['sites.setAttackMode', { on: true }],
  ['sites.discardShadow', {}],
  ['hostnames.add', { hostname: 'new.example' }],
  ['networks.add', { network: '203.0.113.0/24', verdict: 'deny', note: '' }],
  ['secrets.issue', {}],
  ['secrets.rotate', { overlap: 0 }],
])('%s of a site that is deleted at the same time is answered 404', async (name, input) => {
  const { call, tenant } = await makeOwn()
  const { siteId } = await makeSite(app.ctx, { tenantId: tenant.id })
  const holder = await app.sql.connect()
  try {
    await holder.query('begin')
    await holder.query('delete from site where id = $1', [siteId])
    const reply = call(name, { site: siteId, ...input })
    await untilWaitedFor(app.sql, holder)
    await holder.query('commit')
    expect(await reply).toMatchObject({ status: 404, body: { message: expect.stringMatching(/\.$/) } })
  } finally {
    holder.release()
  }
})

test('the OpenAPI document is served with CORS', async () => {
  const reply = await fetch(`${app.url}/v1/openapi.json`)
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  expect(await reply.json()).toMatchObject({ servers: [{ url: `${app.ctx.config.publicUrl}/v1` }] })
})
