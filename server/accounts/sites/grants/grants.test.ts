import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../../test/support/make.ts'
import { readPages } from '../../../../test/support/readPages.ts'
import { makeMember, makeOwnedTenant, makeTenant } from '../../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../../test/support/testApp.ts'
import { newId } from '../../../kit/crypto/ids.ts'
import type { GrantRow } from './list.ts'
import type { Revocation } from './revoke.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const owner = setUp(() => makeMember(app, tenant, 'owner'))
const site = setUp(() => makeSite(app.ctx, { tenantId: tenant.id }))

const newSession = () => createHash('sha256').update(randomUUID()).digest('hex')
const now = () => Math.floor(Date.now() / 1000)

type Made = { session?: string; uses?: number; used?: number; ago?: number; ttl?: number; revoked?: boolean }

/** Inserts a grant as the verification path would; returns its id. */
async function give(at: MadeSite, made: Made = {}): Promise<string> {
  const { session = newSession(), uses = 1, used = 0, ago = 10, ttl = 900, revoked = false } = made
  const id = newId()
  await app.sql.query(
    `insert into captcha_grant (id, tenant_id, site_id, decision_id, session, uses, used, ttl_asked, uses_asked,
      created_at, expires_at, revoked_at)
     select $1, $2, $3, $4, $5, $6::int, $7, $9::int, $6::int, t.made, t.made + make_interval(secs => $9::int), case when $10 then now() end
     from (select now() - make_interval(secs => $8) as made) t`,
    [id, at.tenantId, at.siteId, newId(), session, uses, used, ago, ttl, revoked],
  )
  return id
}

async function list(query: object = {}, who = owner, slug = tenant.slug) {
  const input = { tenant: slug, from: now() - 86_400, to: now() + 60, ...query }
  const { data, status } = await who.query('grants.list', input)
  expect(status).toBe(200)
  return data as { rows: GrantRow[]; nextCursor: string | null }
}

const idsOf = async (query: object) => (await list(query)).rows.map(({ id }) => id)
const revoke = (grant: string, who = owner) => who.mutate('grants.revoke', { tenant: tenant.slug, grant })
const revokeSession = (session: string, who = owner) =>
  who.mutate('grants.revokeSession', { tenant: tenant.slug, session })
const restore = (revocation: string, who = owner) => who.mutate('grants.restore', { tenant: tenant.slug, revocation })
const spend = (grant: string, session: string) =>
  app.client.intent(site, { session, trusted_grant_id: grant }).then(({ status }) => status)

test('shows the state of each grant', async () => {
  const session = newSession()
  const made = {
    active: await give(site, { session, uses: 3, used: 2 }),
    used: await give(site, { session, uses: 3, used: 3, ago: 1000 }),
    expired: await give(site, { session, ago: 1000 }),
    revoked: await give(site, { session, used: 1, ago: 1000, revoked: true }),
  }
  for (const [state, id] of Object.entries(made)) {
    const { rows } = await list({ session, state })
    expect(rows.map((row) => [row.id, row.state])).toEqual([[id, state]])
  }
  const sister = await makeSite(app.ctx, { tenantId: tenant.id })
  const elsewhere = await give(sister, { session })
  expect(await idsOf({ session: session.slice(0, 8), site: sister.siteId })).toEqual([elsewhere])
  expect(await idsOf({ session: session.slice(0, 20) })).toHaveLength(5)
  expect(await idsOf({ session, from: now() - 2000, to: now() - 500 })).toHaveLength(3)
})

test('pages contain each grant once while new ones arrive', async () => {
  const { tenant: own, owner: who } = await makeOwnedTenant(app)
  const at = await makeSite(app.ctx, { tenantId: own.id })
  for (let ago = 1; ago <= 25; ago++) await give(at, { ago })
  const more = () => give(at, { ago: 0 })
  const { ids, pages } = await readPages((cursor) => list({ limit: 10, cursor }, who, own.slug), more)
  expect(pages).toBe(3)
  expect(new Set(ids).size).toBe(25)
})

test('finds a rare state in bounded steps', async () => {
  const { tenant: own, owner: who } = await makeOwnedTenant(app)
  const at = await makeSite(app.ctx, { tenantId: own.id })
  await app.sql.query(
    `insert into captcha_grant (id, tenant_id, site_id, decision_id, session, uses, used, ttl_asked, uses_asked,
      created_at, expires_at)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), repeat('0', 64), 1, 1, 900, 1, now() - n * interval '1 s', now()
     from generate_series(1, 15000) n`,
    [own.id, at.siteId],
  )
  const oldest = await give(at, { ago: 16_000, ttl: 86_400 })
  const first = await list({ state: 'active' }, who, own.slug)
  expect(first.rows).toEqual([])
  const second = await list({ state: 'active', cursor: first.nextCursor }, who, own.slug)
  expect(second.rows.map(({ id }) => id)).toEqual([oldest])
  expect(second.nextCursor).toBeNull()
})

test('refuses a revoked grant and accepts it again after an undo', async () => {
  const session = newSession()
  const id = await give(site, { session, uses: 3 })
  const developer = await makeMember(app, tenant, 'developer')
  expect(await spend(id, session)).toBe(200)
  const { id: revocation } = (await revoke(id, developer)).data as Revocation
  expect(await spend(id, session)).toBe(409)
  expect((await revoke(id)).code).toBe('CONFLICT')
  expect((await restore(revocation, developer)).data).toEqual({ grants: [id] })
  expect(await spend(id, session)).toBe(200)
  expect((await restore(revocation)).code).toBe('CONFLICT')
  const rows = await app.rows(
    'select actor_type, actor_id, action, target, after from audit_event where tenant_id = $1 and target = $2 order by created_at, id',
    [tenant.id, id],
  )
  const actor = { actor_type: 'user', actor_id: developer.userId }
  expect(rows).toEqual([
    {
      ...actor,
      action: 'grant.revoke',
      target: id,
      after: { grants: [id], revokedAt: expect.stringMatching(/\.\d{6}Z$/) },
    },
    { ...actor, action: 'grant.restore', target: id, after: { grants: [id] } },
  ])
})

test('revokes all grants of a session and restores only those that this call revoked', async () => {
  const session = newSession()
  const sister = await makeSite(app.ctx, { tenantId: tenant.id })
  const [one, before, elsewhere] = [
    await give(site, { session }),
    await give(site, { session, revoked: true }),
    await give(sister, { session }),
  ]
  // neither expired ones that cannot be renewed nor another tenant's
  await Promise.all([give(site, { session, ago: 2000 }), give(await makeSite(app.ctx), { session })])
  const revocation = (await revokeSession(session)).data as Revocation
  expect(revocation.grants).toEqual([one, elsewhere].toSorted())
  const audit = await owner.query('audit.list', { tenant: tenant.slug, target: session.slice(0, 8) })
  expect(audit.data).toMatchObject({ rows: [{ targetName: `session ${session.slice(0, 8)}` }] })
  expect((await revokeSession(session)).code).toBe('NOT_FOUND')
  await app.sql.query("update captcha_grant set expires_at = now() - interval '1 s' where id = $1", [elsewhere])
  expect((await restore(revocation.id)).data).toEqual({ grants: [one] })
  const rows = await app.rows('select id from captcha_grant where session = $1 and revoked_at is not null', [session])
  expect(rows.map(({ id }) => String(id)).toSorted()).toEqual([before, elsewhere].toSorted())
})

test('a revocation is restored also after the audit has been pruned', async () => {
  const id = await give(site, { ttl: 3600 })
  const revocation = (await revoke(id)).data as Revocation
  await app.sql.query('delete from audit_event where target = $1', [id])
  expect((await restore(revocation.id)).data).toEqual({ grants: [id] })
})

test('after 5 minutes nothing is taken back', async () => {
  const id = await give(site, { ttl: 3600 })
  const revocation = (await revoke(id)).data as Revocation
  await app.sql.query("update grant_revocation set revoked_at = revoked_at - interval '301 s' where id = $1", [
    revocation.id,
  ])
  await app.sql.query("update captcha_grant set revoked_at = revoked_at - interval '301 s' where id = $1", [id])
  expect((await restore(revocation.id)).code).toBe('CONFLICT')
})

test('a log-out stays in force after an undo', async () => {
  const session = newSession()
  const [one, two] = [await give(site, { session }), await give(site, { session })]
  const revocation = (await revokeSession(session)).data as Revocation
  const logOut = await app.client.asSite('/grants/revoke', site, { session })
  expect(logOut.body).toEqual({ revoked: 0 })
  expect((await restore(revocation.id)).code).toBe('CONFLICT')
  expect([await spend(one, session), await spend(two, session)]).toEqual([409, 409])
})

test('a log-out wins over a concurrent undo', async () => {
  for (let round = 0; round < 8; round++) {
    const session = newSession()
    const id = await give(site, { session, uses: 10 })
    const { id: revocation } = (await revoke(id)).data as Revocation
    await Promise.all([restore(revocation), app.client.asSite('/grants/revoke', site, { session })])
    expect(await spend(id, session)).toBe(409)
  }
})

test('no use of a grant succeeds after a concurrent revocation, which is recorded once', async () => {
  for (let round = 0; round < 5; round++) {
    const session = newSession()
    const id = await give(site, { session, uses: 10 })
    const [first, second, ...spends] = await Promise.all([
      revoke(id),
      revoke(id),
      ...Array.from({ length: 8 }, () => spend(id, session)),
    ])
    expect([first.status, second.status].toSorted()).toEqual([200, 409])
    const opened = spends.filter((status) => status === 200).length
    const rows = await app.rows('select used, revoked_at is not null as revoked from captcha_grant where id = $1', [id])
    expect(rows).toEqual([{ used: opened, revoked: true }])
    expect(await spend(id, session)).toBe(409)
  }
})

test('exactly one of a last use and a concurrent revocation succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const session = newSession()
    const id = await give(site, { session })
    const [revoked, spent] = await Promise.all([revoke(id), spend(id, session)])
    const rows = await app.rows('select used, revoked_at is not null as revoked from captcha_grant where id = $1', [id])
    // a used-up grant has ended, so there is nothing to revoke
    expect(rows).toEqual([{ used: spent === 200 ? 1 : 0, revoked: revoked.status === 200 }])
    expect([revoked.status, spent].toSorted()).toEqual([200, 409])
  }
})
