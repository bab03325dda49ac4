import { beforeAll, describe, expect, test } from 'vitest'
import { KINDS } from '../../test/matrix/kinds.ts'
import { type Called, createBrowser, makePerson, type SignedIn } from '../../test/support/browser.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { expectSentence } from '../../test/support/sentence.ts'
import { makeStaff } from '../../test/support/staff.ts'
import { type MadeTenant, makeTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import type { StaffLevel } from '../contract/permissions.ts'
import { newId } from '../kit/crypto/ids.ts'

/** A tenant for one test, with the objects that staff procedures need. */
type World = {
  tenant: MadeTenant
  site: MadeSite
  intent: string
  entry: string
  quotaEvent: string
  /** Asked for by another lead. */
  request: string
  /** Asked for by the tenant. */
  quotaRequest: string
  /** The address of an invited person. */
  guest: string
}

type Case = {
  needs: StaffLevel
  /** A query that is recorded in the audit log. */
  recorded?: true
  /** In addition to the tenant's id. */
  input?: (world: World) => Record<string, unknown>
  /** Prepares the state that the procedure needs. */
  given?: (world: World, lead: SignedIn) => Promise<unknown>
}

const reason = 'Ticket 4711'
const id = ({ tenant }: World) => tenant.id

/** Every procedure for staff. A new one fails below until it is listed here. */
const MATRIX: Record<string, Case> = {
  'staff.search': { needs: 'support', input: ({ site }) => ({ text: site.sitekey }) },
  'staff.trace': { needs: 'support', recorded: true, input: ({ intent }) => ({ id: intent }) },
  'staff.notes': { needs: 'support', recorded: true },
  'staff.addNote': { needs: 'support', input: (world) => ({ subject: id(world), text: 'They were friendly.' }) },
  'staff.usage': { needs: 'support', recorded: true },
  'staff.audit': { needs: 'lead', recorded: true },
  'staff.tenants.list': { needs: 'support', recorded: true },
  'staff.tenants.get': { needs: 'support', recorded: true },
  'staff.tenants.adjustQuota': { needs: 'support', input: () => ({ units: 5000, reason }) },
  'staff.tenants.undoQuota': { needs: 'support', input: ({ quotaEvent }) => ({ event: quotaEvent }) },
  'staff.tenants.adjustBalance': { needs: 'support', input: () => ({ units: 10, reason }) },
  'staff.tenants.undoBalance': { needs: 'support', input: ({ entry }) => ({ entry }) },
  'staff.tenants.viewAs': { needs: 'support', input: () => ({ reason }) },
  'staff.tenants.endViewAs': {
    needs: 'support',
    given: (world, who) => who.mutate('staff.tenants.viewAs', { tenant: id(world), reason }),
  },
  'staff.tenants.previewSuspension': { needs: 'lead' },
  'staff.tenants.suspend': { needs: 'lead', input: (world) => ({ reason, confirm: world.tenant.slug }) },
  'staff.tenants.restore': {
    needs: 'lead',
    input: () => ({ reason }),
    given: (world) => app.sql.query('update tenant set suspended_at = now() where id = $1', [id(world)]),
  },
  'staff.jobs.list': { needs: 'lead', recorded: true, given: failJob },
  'staff.jobs.retry': { needs: 'lead', input: () => ({ id: failedJob }), given: failJob },
  'staff.jobs.delete': { needs: 'lead', input: () => ({ id: failedJob }), given: failJob },
  'staff.networks.list': { needs: 'lead' },
  'staff.networks.preview': { needs: 'lead', input: () => ({ network: '198.51.100.0/24' }) },
  'staff.networks.find': { needs: 'lead', input: ({ site }) => ({ address: '198.51.100.7', site: site.sitekey }) },
  'staff.networks.add': {
    needs: 'lead',
    input: () => ({ network: '198.51.100.0/24', verdict: 'dear', reason }),
    given: () => app.sql.query('delete from network_rule'),
  },
  'staff.networks.change': {
    needs: 'lead',
    input: () => ({ network: '203.0.113.0/24', verdict: 'deny', reason: 'Ticket 4712' }),
    given: listNetwork,
  },
  'staff.networks.remove': { needs: 'lead', input: () => ({ network: '203.0.113.0/24', reason }), given: listNetwork },
  'staff.people.export': { needs: 'lead', input: ({ guest }) => ({ email: guest }) },
  'staff.people.erase': { needs: 'lead', input: ({ guest }) => ({ email: guest, confirm: guest }) },
  'staff.visitors.erase': {
    needs: 'lead',
    input: (world) => ({ field: 'session', hash: 'd'.repeat(64), confirm: world.tenant.slug }),
  },
  'staff.quotaRequests.list': { needs: 'support' },
  'staff.quotaRequests.approve': {
    needs: 'support',
    input: ({ quotaRequest }) => ({ id: quotaRequest, units: 5000, answer: reason }),
  },
  'staff.quotaRequests.decline': {
    needs: 'support',
    input: ({ quotaRequest }) => ({ id: quotaRequest, answer: reason }),
  },
  'staff.requests.list': { needs: 'lead' },
  'staff.requests.approve': { needs: 'lead', input: ({ request }) => ({ id: request }) },
  'staff.requests.reject': { needs: 'lead', input: ({ request }) => ({ id: request }) },
  'staff.system.view': { needs: 'lead' },
  'staff.system.reconcile': { needs: 'lead' },
}

let failedJob = '1'

async function failJob(): Promise<void> {
  const [job] = await app.rows<{ id: string }>("select id from graphile_worker.add_job('send_email')")
  failedJob = job?.id ?? ''
  await app.sql.query("update graphile_worker._private_jobs set attempts = 3, last_error = 'no route'")
}

async function listNetwork(): Promise<void> {
  await app.sql.query('delete from network_rule')
  await app.sql.query(
    `insert into network_rule (id, network, verdict, note, actor_type, actor_id)
     values ($1, '203.0.113.0/24', 'allow', 'Office', 'operator', 'test')`,
    [newId()],
  )
}

const app = testApp()
let people: Record<StaffLevel, SignedIn>
let asker: SignedIn
/** Staff without a second factor. */
let bare: SignedIn
/** Owner of each test's tenant. */
let owner: SignedIn
let stranger: SignedIn
beforeAll(async () => {
  const [support, lead] = [await makeStaff(app, 'support'), await makeStaff(app, 'lead')]
  people = { support, lead }
  asker = await makeStaff(app, 'lead')
  bare = await makeStaff(app, 'lead', { twoFactor: false })
  ;[owner, stranger] = [await makePerson(app), await makePerson(app)]
})

async function makeWorld(): Promise<World> {
  const tenant = await makeTenant(app)
  await app.ctx.prisma.member.create({
    data: { id: newId(), tenantId: tenant.id, userId: owner.userId, role: 'owner' },
  })
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const intent = String((await app.client.intent(site)).body['intent_id'])
  const { lead } = people
  const added = await lead.mutate('staff.tenants.adjustBalance', { tenant: tenant.id, units: 7, reason })
  const set = await lead.mutate('staff.tenants.adjustQuota', { tenant: tenant.id, units: 2000, reason })
  const undo = ({ data }: Called) => (data as { undo: string }).undo
  const asked = await asker.mutate('staff.tenants.adjustBalance', { tenant: tenant.id, units: 10_000_001, reason })
  const { requested: request } = asked.data as { requested: string }
  const guest = `${newId()}@people.example`
  const expiresAt = new Date(Date.now() + 86_400_000)
  await app.ctx.prisma.invitation.create({
    data: { id: newId(), tenantId: tenant.id, email: guest, role: 'viewer', inviterId: owner.userId, expiresAt },
  })
  const quota = await owner.mutate('usage.requestUnits', { tenant: tenant.slug, units: 5000, reason: 'A sale' })
  const { id: quotaRequest } = quota.data as { id: string }
  return { quotaRequest, guest, tenant, site, intent, entry: undo(added), quotaEvent: undo(set), request }
}

/** All rows that staff can change. */
async function stateOf({ tenant }: World): Promise<string> {
  const tables = [
    'tenant',
    'audit_event',
    'quota_period',
    'quota_change',
    'balance_entry',
    'balance',
    'staff_note',
    'view_as',
    'unit_request',
    'quota_request',
    'network_rule',
  ]
  const rows = await Promise.all(
    tables.map((table) =>
      app.sql.query(
        `select * from ${table} t where ${table === 'tenant' ? 'id = $1' : table === 'audit_event' || table === 'network_rule' ? '(tenant_id = $1 or tenant_id is null)' : 'tenant_id = $1'} order by t::text`,
        [tenant.id],
      ),
    ),
  )
  return JSON.stringify(rows.map((result) => result.rows))
}

const call = async (
  browser: Pick<SignedIn, 'query' | 'mutate'>,
  path: string,
  { input }: Case,
  world: World,
): Promise<Called> => {
  const given = { tenant: id(world), ...input?.(world) }
  const reply = await (KINDS.get(path) === 'query' ? browser.query(path, given) : browser.mutate(path, given))
  if (reply.status !== 200) expectSentence(reply)
  return reply
}

test('the matrix lists exactly the existing staff procedures', () => {
  const procedures = [...KINDS.keys()].filter((path) => path.startsWith('staff.'))
  expect(Object.keys(MATRIX).toSorted()).toEqual(procedures.toSorted())
})

describe.each(Object.entries(MATRIX).map(([path, entry]) => ({ path, entry })))('$path', ({ path, entry }) => {
  test.each(['support', 'lead'] as const)('allows %s only at a sufficient level', async (level) => {
    const world = await makeWorld()
    await entry.given?.(world, people[level])
    const before = await stateOf(world)
    const { status, code } = await call(people[level], path, entry, world)
    const wrote = (await stateOf(world)) !== before
    const reaches = level === 'lead' || entry.needs === 'support'
    expect({ status, code, wrote }).toEqual(
      reaches
        ? { status: 200, code: undefined, wrote: entry.recorded ?? KINDS.get(path) === 'mutation' }
        : { status: 403, code: 'FORBIDDEN', wrote: false },
    )
  })

  test('answers not-found to members and others and writes nothing', async () => {
    const world = await makeWorld()
    const before = await stateOf(world)
    for (const person of [owner, stranger]) {
      const reply = await call(person, path, entry, world)
      expect({ code: reply.code, data: reply.data }).toEqual({ code: 'NOT_FOUND', data: undefined })
    }
    expect((await call(createBrowser(app), path, entry, world)).status).toBe(401)
    expect(await stateOf(world)).toBe(before)
  })

  test('refuses staff without a second factor', async () => {
    const world = await makeWorld()
    expect(await call(bare, path, entry, world)).toMatchObject({ code: 'FORBIDDEN', reason: 'two-factor-required' })
  })
})

test('answers not-found for an unknown id', async () => {
  for (const [path, input] of [
    ['staff.trace', { id: newId() }],
    ['staff.tenants.get', { tenant: newId() }],
  ] as const)
    expect((await people.support.query(path, input)).code).toBe('NOT_FOUND')
})
