import { describe, expect, test } from 'vitest'
import { MATRIX, NAMELESS } from '../../test/matrix/cases.ts'
import { stateOf } from '../../test/matrix/state.ts'
import { makeCast, makeWorld, type World } from '../../test/matrix/world.ts'
import { makeSite } from '../../test/support/make.ts'
import { callManaged, type Managed, makeKey } from '../../test/support/manage.ts'
import { makeTenant } from '../../test/support/tenant.ts'
import { setUp, testApp } from '../../test/support/testApp.ts'
import { may, type Permission, ROLES } from '../contract/permissions.ts'
import { SCOPE_NAMES, SCOPES, type Scope } from '../contract/scopes.ts'
import { rename, toCamel } from './names.ts'
import { OPERATIONS } from './operations.ts'
import { REPLIES } from './replies.ts'

const app = testApp({ UNKNOWN_SECRETS_PER_MINUTE: '10000' })
const cast = setUp(() => makeCast(app))

const allows = (scope: Scope, permission: Permission) => (SCOPES[scope] as readonly Permission[]).includes(permission)

const operations = OPERATIONS.filter(({ name }) => name !== 'keys.whoami').map(({ name, ...rest }) => {
  const [needs, input = (): Record<string, unknown> => ({})] = MATRIX[name] ?? []
  return { ...rest, name, needs: needs as Permission, input }
})

function expectNothing(world: World, { body }: Managed): void {
  const text = JSON.stringify(body)
  for (const secret of world.private) expect(text).not.toContain(secret)
}

test('every permission of a scope is that of an operation', () => {
  const needed = new Set(operations.map(({ needs }) => needs))
  const unused = Object.values(SCOPES)
    .flat()
    .filter((permission) => !needed.has(permission))
  expect(unused).toEqual(
    ['tenant.read', 'network.read', 'integration.read'].filter((each) => !needed.has(each as Permission)),
  )
})

describe.each(operations)('$method $path', ({ name, method, needs, input, concerns }) => {
  test('is refused to a wrong key, and without the scope, and writes nothing', async () => {
    const world = await makeWorld(cast)
    const at = { tenantId: world.tenant.id, createdBy: cast.people.owner.userId }
    const before = await stateOf(app, world)
    const expired = await makeKey(app, at, { expiresAt: new Date(Date.now() - 1000) })
    const revoked = await makeKey(app, at)
    await app.sql.query('update api_key set revoked_at = now() where id = $1', [revoked.id])
    const typo = revoked.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    for (const key of [undefined, expired.key, revoked.key, typo]) {
      const reply = await callManaged(app, key, name, input(world))
      expect(reply).toMatchObject({ status: 401, error: 'unauthorized' })
      expectNothing(world, reply)
    }
    const without = SCOPE_NAMES.filter((scope) => !allows(scope, needs))
    const { key } = await makeKey(app, at, { scopes: without })
    expect(await callManaged(app, key, name, input(world))).toMatchObject({ status: 403, error: 'scope-required' })
    await app.sql.query('delete from api_key where tenant_id = $1 and id <> $2', [world.tenant.id, world.key])
    expect(await stateOf(app, world)).toBe(before)
  })

  test('is allowed with one scope that has the permission, while the creator has it', async () => {
    const world = await makeWorld(cast)
    const scopes = SCOPE_NAMES.filter((scope) => allows(scope, needs)).slice(0, 1)
    expect(scopes).toHaveLength(1)
    for (const role of ROLES.toReversed()) {
      const at = { tenantId: world.tenant.id, createdBy: cast.people[role].userId }
      const { key } = await makeKey(app, at, { scopes })
      if (may(role, needs)) continue
      const reply = await callManaged(app, key, name, input(world))
      expect(reply).toMatchObject({ status: 403, error: 'creator-role-required' })
    }
    const owner = { tenantId: world.tenant.id, createdBy: cast.people.owner.userId }
    const left = await makeKey(app, { ...owner, createdBy: cast.stranger.userId }, { scopes })
    expect(await callManaged(app, left.key, name, input(world))).toMatchObject({ status: 403 })
    const { key } = await makeKey(app, owner, { scopes })
    const before = await stateOf(app, world)
    const { status, body } = await callManaged(app, key, name, input(world))
    const wrote = (await stateOf(app, world)) !== before
    expect({ status, body: status === 200 ? {} : body, wrote: method === 'GET' ? false : wrote }).toEqual({
      status: 200,
      body: {},
      wrote: method !== 'GET',
    })
    // otherwise those who get none of it could not fail
    const isNamed = method === 'GET' && !NAMELESS.has(name)
    expect(!isNamed || world.private.some((text) => JSON.stringify(body).includes(text))).toBe(true)
    // the reference says all of it, and nothing else
    const reply = rename(body, toCamel)
    const { data = reply, error } = REPLIES[name]?.safeParse(reply) ?? {}
    // the tests' sites have a lower difficulty than the form allows
    expect(error?.issues.filter(({ code }) => !['too_small', 'too_big'].includes(code)) ?? []).toEqual([])
    // what the reference does not name was removed, at any depth
    expect(data).toEqual(reply)
    // all names are in snake case
    expect(JSON.stringify(body).match(/"[a-z_]*[A-Z]\w*":/)).toBeNull()
  })

  test('gives nothing to a key of another tenant, or of another site', async () => {
    const world = await makeWorld(cast)
    const before = await stateOf(app, world)
    const foreign = await makeKey(app, { tenantId: (await makeTenant(app)).id, createdBy: cast.stranger.userId })
    await app.sql.query(
      `insert into member (id, tenant_id, user_id, role) select gen_random_uuid(), tenant_id, $2, 'owner' from api_key where id = $1`,
      [foreign.id, cast.stranger.userId],
    )
    expectNothing(world, await callManaged(app, foreign.key, name, input(world)))
    expect(await stateOf(app, world)).toBe(before)

    const other = await makeSite(app.ctx, { tenantId: world.tenant.id })
    const at = { tenantId: world.tenant.id, createdBy: cast.people.owner.userId }
    const bound = await makeKey(app, at, { sites: [other.siteId] })
    const mine = await stateOf(app, world)
    const { site, ...others } = input(world)
    const status = { sites: 200, site: 404, tenant: 403 }[concerns]
    const named = await callManaged(app, bound.key, name, input(world))
    expect(named.status).toBe(site === undefined ? status : 404)
    const unnamed = await callManaged(app, bound.key, name, others)
    expect(unnamed.status).toBe(status)
    for (const secret of world.private.filter((each) => each !== world.tenant.id))
      expect(JSON.stringify([named.body, unnamed.body])).not.toContain(secret)
    expect(await stateOf(app, world)).toBe(mine)
  })

  test('is allowed to a key for its site, also when the intent is deleted, unless it concerns the whole tenant', async () => {
    const world = await makeWorld(cast)
    const at = { tenantId: world.tenant.id, createdBy: cast.people.owner.userId }
    const { key } = await makeKey(app, at, { sites: [world.site] })
    await app.sql.query('delete from intent where tenant_id = $1 and id <> $2', [world.tenant.id, world.fresh])
    const { status, error } = await callManaged(app, key, name, input(world))
    expect({ status, error }).toEqual(
      concerns === 'tenant' ? { status: 403, error: 'all-sites-required' } : { status: 200, error: undefined },
    )
    if (concerns !== 'sites') return
    const all = await makeKey(app, at)
    const { site: _, ...others } = input(world)
    const [mine, everything] = await Promise.all([key, all.key].map((each) => callManaged(app, each, name, others)))
    expect(mine).toMatchObject({ status: 200, body: everything?.body })
  })
})

test('what is no id is answered to a key for some sites as to any other', async () => {
  const world = await makeWorld(cast)
  const at = { tenantId: world.tenant.id, createdBy: cast.people.owner.userId }
  const { key } = await makeKey(app, at, { sites: [world.site] })
  for (const [name, field] of [
    ['decisions.get', 'id'],
    ['incidents.get', 'id'],
    ['grants.revoke', 'grant'],
  ] as const)
    for (const id of ['-'.repeat(36), 'x', 'dec_x'])
      expect([404, 422]).toContain((await callManaged(app, key, name, { [field]: id })).status)
})
