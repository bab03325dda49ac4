import { beforeAll, describe, expect, test } from 'vitest'
import { type Case, FILTERED, MATRIX, NAMELESS } from '../../test/matrix/cases.ts'
import { KINDS } from '../../test/matrix/kinds.ts'
import { stateOf } from '../../test/matrix/state.ts'
import { makeCast, makeWorld, type World } from '../../test/matrix/world.ts'
import { type Called, createBrowser, makePerson, type SignedIn } from '../../test/support/browser.ts'
import { answerOf } from '../../test/support/listen.ts'
import { expectSentence } from '../../test/support/sentence.ts'
import { makeTenant } from '../../test/support/tenant.ts'
import { setUp, testApp } from '../../test/support/testApp.ts'
import { may, ROLES } from '../contract/permissions.ts'
import { newId } from '../kit/crypto/ids.ts'

const app = testApp()
const cast = setUp(() => makeCast(app))

/** A new tenant of the stranger: an earlier test may have deleted or renamed the last one. Returns its slug. */
async function strangersTenant(): Promise<string> {
  const { id, slug } = await makeTenant(app)
  await app.sql.query(`insert into member (id, tenant_id, user_id, role) values ($1, $2, $3, 'owner')`, [
    newId(),
    id,
    cast.stranger.userId,
  ])
  return slug
}

const call = async (
  browser: Pick<SignedIn, 'query' | 'mutate' | 'cookies'>,
  path: string,
  input: object,
): Promise<Called> => {
  const kind = KINDS.get(path)
  const ask = () => (kind === 'query' ? browser.query(path, input) : browser.mutate(path, input))
  const reply = await (kind === 'subscription' ? answerOf(app, browser, path, input) : ask())
  if (reply.status !== 200) expectSentence(reply)
  return reply
}

/** Procedures for staff are in staffMatrix.test.ts. */
const procedures = [...KINDS.keys()].filter((path) => !path.startsWith('staff.'))

test('the matrix lists exactly the existing procedures', () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(procedures.toSorted())
})

const all = Object.entries(MATRIX).filter(([, [needs]]) => needs !== 'nobody') as [string, PersonCase][]
type PersonCase = Case & [Exclude<Case[0], 'nobody'>, ...unknown[]]
const ofTenant = all.flatMap(([path, entry]) => {
  const [needs] = entry
  return needs === 'anybody' || needs === 'signed in' || needs === 'link' ? [] : [{ path, entry, needs }]
})
const ofPerson = all.filter(([path]) => !ofTenant.some((each) => each.path === path))
const named = (id: string) => ({
  site: id,
  secret: id,
  member: id,
  invitation: id,
  session: id,
  event: id,
  incident: id,
  decision: id,
  reported: id,
  fresh: id,
  grant: id,
  revocation: id,
  key: id,
  webhook: id,
  delivery: id,
})
const takesIds = all.filter(([, [needs, input]]) => {
  if (needs === 'link') return false
  const probe =
    input?.({
      tenant: { id: '', slug: '' },
      visitor: '',
      reference: '',
      shareToken: '',
      private: [],
      ...named('an id'),
    }) ?? {}
  return Object.values(probe).includes('an id')
})

const makeUntouched = async () => {
  const world = await makeWorld(cast)
  return { world, state: await stateOf(app, world) }
}
/** One that no test may change. */
const untouched = setUp(makeUntouched)
const expectUntouched = async () => expect(await stateOf(app, untouched.world)).toBe(untouched.state)
/** One that the last test was allowed to change, and did not. */
let spare: Awaited<ReturnType<typeof makeUntouched>> | undefined

const inputOf = ([, input]: Case, world: World, slug = world.tenant.slug) => ({ tenant: slug, ...input?.(world) })

describe.each(ofTenant)('$path', ({ path, entry, needs }) => {
  test.each(ROLES)('allows %s only with the permission', async (role) => {
    const { world, state } = spare ?? (await makeUntouched())
    spare = undefined
    const { status, code, data } = await call(cast.people[role], path, inputOf(entry, world))
    // otherwise the tests below, in which strangers get none of it, could not fail
    const isRead = role === 'owner' && KINDS.get(path) === 'query'
    const named = isRead ? namesRowOf(world, data) : undefined
    const wrote = (await stateOf(app, world)) !== state
    if (!wrote) spare = { world, state }
    expect({ status, code, wrote, named }).toEqual(
      may(role, needs)
        ? {
            status: 200,
            code: undefined,
            wrote: KINDS.get(path) === 'mutation',
            named: isRead ? !NAMELESS.has(path) : undefined,
          }
        : { status: 403, code: 'FORBIDDEN', wrote: false, named: undefined },
    )
  })

  test('answers not-found to a member of another tenant and writes nothing', async () => {
    const reply = await call(cast.stranger, path, inputOf(entry, untouched.world))
    expect(reply.code).toBe('NOT_FOUND')
    expectNothing(untouched.world, reply)
    await expectUntouched()
  })
})

describe('staff who view as a member', () => {
  const viewed = setUp(makeUntouched)
  beforeAll(async () => {
    await app.sql.query(
      `insert into view_as (id, tenant_id, user_id, reason, ends_at) values ($1, $2, $3, 'test', now() + interval '30 min')`,
      [newId(), viewed.world.tenant.id, cast.support.userId],
    )
  })

  test.each(ofTenant)('$path: only what an admin can read', async ({ path, entry, needs }) => {
    const { status, reason } = await call(cast.support, path, inputOf(entry, viewed.world))
    const writes = KINDS.get(path) === 'mutation'
    expect({ status, readOnly: reason === 'view-as-read-only' }).toEqual({
      status: !writes && may('admin', needs) ? 200 : 403,
      readOnly: writes,
    })
    expect(await stateOf(app, viewed.world)).toBe(viewed.state)
  })
})

test.each(all)('%s refuses callers who are not signed in and writes nothing', async (path, entry) => {
  const reply = await call(createBrowser(app), path, inputOf(entry, untouched.world))
  expect(reply.status).toBe(['anybody', 'link'].includes(entry[0]) ? 200 : 401)
  expectNothing(untouched.world, reply)
  await expectUntouched()
})

test.each(all)('%s returns nothing for ids of another tenant', async (path, entry) => {
  const { world } = untouched
  const input = inputOf(entry, world, await strangersTenant())
  expectNothing(world, await call(cast.stranger, path, input))
  // a list of all sites, where the site is optional
  if (KINDS.get(path) === 'query' && 'site' in input)
    expectNothing(world, await call(cast.stranger, path, { ...input, site: undefined }))
  await expectUntouched()
})

describe('a tenant that requires a second factor, and its owner who has none', () => {
  let world: World
  let owner: SignedIn
  let before: string
  beforeAll(async () => {
    world = await makeWorld(cast)
    owner = await makePerson(app)
    const { tenant, event } = world
    await app.sql.query(`insert into member (id, tenant_id, user_id, role) values ($1, $2, $3, 'owner')`, [
      newId(),
      tenant.id,
      owner.userId,
    ])
    await app.sql.query(
      `update tenant set require_2fa = true, suspended_at = now(), suspended_for = $2 where id = $1`,
      [tenant.id, `Reason ${event}`],
    )
    before = await stateOf(app, world)
  })

  test.each(ofTenant)('$path is refused', async ({ path, entry }) => {
    const reply = await call(owner, path, inputOf(entry, world))
    expect(reply).toMatchObject({ status: 403, reason: 'two-factor-required' })
    expectNothing(world, reply)
    expect(await stateOf(app, world)).toBe(before)
  })

  test.each(ofPerson)('%s reveals nothing of it but its name', async (path, entry) => {
    const reply = await call(owner, path, inputOf(entry, world))
    // the console names the tenant, and asks for the second factor
    const { id, slug } = world.tenant
    expectNothing({ ...world, private: world.private.filter((text) => path !== 'session.me' || text !== id) }, reply)
    expect(JSON.stringify(reply).includes(slug)).toBe(path === 'session.me')
    expect(await stateOf(app, world)).toBe(before)
  })

  test.each(['audit', 'decisions', 'feedback', 'refusals', 'statement'])('/export/%s.csv is refused', async (list) => {
    const { status, body } = await owner.send('GET', `/export/${list}.csv?tenant=${world.tenant.slug}`)
    expect([status, body['error']]).toEqual([403, 'two-factor-required'])
  })
})

test.each(takesIds)('%s gives an id of another tenant the same answer as an unknown id', async (path, entry) => {
  const { world } = untouched
  const nothing = { ...world, ...named(newId()) }
  const foreign = await call(cast.stranger, path, inputOf(entry, world, await strangersTenant()))
  expect(foreign.code).toBe(FILTERED.has(path) ? undefined : 'NOT_FOUND')
  expect(foreign).toEqual(await call(cast.stranger, path, inputOf(entry, nothing, await strangersTenant())))
})

// the last ones, because the guest ends sessions
test.each(ofPerson)('%s answers its intended caller', async (path, entry) => {
  const { status, message } = await call(cast.guest, path, inputOf(entry, await makeWorld(cast)))
  expect({ status, message }).toEqual({ status: 200, message: '' })
})

function expectNothing(world: World, reply: Called): void {
  const text = JSON.stringify(reply)
  for (const secret of world.private) expect(text).not.toContain(secret)
}

function namesRowOf(world: World, data: unknown): boolean {
  const text = JSON.stringify(data)
  return world.private.some((secret) => text.includes(secret))
}
