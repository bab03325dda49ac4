import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { type Called, createBrowser, makePerson, type SignedIn } from '../../test/support/browser.ts'
import { makeDecisions } from '../../test/support/decisions.ts'
import { answerOf } from '../../test/support/listen.ts'
import { makeSite } from '../../test/support/make.ts'
import { expectSentence } from '../../test/support/sentence.ts'
import { makeStaff } from '../../test/support/staff.ts'
import { makeStaffing, makeTenant } from '../../test/support/tenant.ts'
import { may, type Permission, ROLES, type Role } from '../contract/permissions.ts'
import { newId } from '../kit/ids.ts'
import { recordAudit } from '../ledger/audit/record.ts'
import { appRouter } from './index.ts'

/** A tenant for one test, with one object of each kind; its members are shared. */
type World = {
  tenant: { id: string; slug: string }
  site: string
  secret: string
  /** Memberships: of a viewer, and of a member who makes no call. */
  member: string
  /** Invitation for the guest. */
  invitation: string
  /** Id of the guest. */
  session: string
  /** Id of an audit event. */
  event: string
  incident: string
  /** A redeemed intent. */
  decision: string
  /** Another one, with feedback. */
  reported: string
  /** Another one, which has issued no grant. */
  fresh: string
  /** A grant, and its session. */
  grant: string
  visitor: string
  /** The revocation of another grant. */
  revocation: string
  /** Texts that only members may read. */
  private: string[]
}

type Case = {
  /** A permission, or the callers of a procedure without one. `link`: whoever has the object's id, which was e-mailed. */
  needs: Permission | 'anybody' | 'signed in' | 'link'
  kind: 'query' | 'mutation' | 'subscription'
  /** In addition to the tenant's slug. */
  input?: (world: World) => Record<string, unknown>
}

const thisMonth = `${new Date().toISOString().slice(0, 7)}-01`
const now = Math.floor(Date.now() / 1000)
/** All rows of a world are in it. */
const RECENT = { from: now - 86_400, to: now + 86_400 }
const THIS_HOUR = new Date(now * 1000 - (now % 3600) * 1000)
const TODAY = new Date(now * 1000 - (now % 86_400) * 1000)
const DIFFICULTY = { baseWork: 2048, workMode: 'fixed', challengeKind: 'sha256', actions: [] }

/** Every procedure of the console. A new one fails below until it is listed here. */
const MATRIX: Record<string, Case> = {
  'audit.list': { needs: 'audit.read', kind: 'query' },
  'audit.get': { needs: 'audit.read', kind: 'query', input: ({ event }) => ({ id: event }) },
  'decisions.list': { needs: 'decision.read', kind: 'query' },
  'decisions.get': { needs: 'decision.read', kind: 'query', input: ({ decision }) => ({ id: decision }) },
  'decisions.archive': { needs: 'decision.read', kind: 'query' },
  'decisions.tail': { needs: 'decision.read', kind: 'subscription' },
  'references.get': { needs: 'anybody', kind: 'query', input: () => ({ reference: '00000000' }) },
  'feedback.list': { needs: 'feedback.read', kind: 'query', input: ({ site }) => ({ site, ...RECENT }) },
  'feedback.rates': { needs: 'feedback.read', kind: 'query', input: ({ site }) => ({ site, ...RECENT }) },
  'feedback.history': { needs: 'feedback.read', kind: 'query', input: ({ reported }) => ({ decision: reported }) },
  'feedback.report': {
    needs: 'feedback.report',
    kind: 'mutation',
    input: ({ decision }) => ({
      decision,
      event: newId(),
      outcome: 'legitimate',
      businessType: 'manual_review',
      occurredAt: Math.floor(Date.now() / 1000),
    }),
  },
  'grants.list': { needs: 'grant.read', kind: 'query', input: ({ site }) => ({ site, ...RECENT }) },
  'grants.issue': { needs: 'grant.issue', kind: 'mutation', input: ({ fresh }) => ({ decision: fresh }) },
  'grants.revoke': { needs: 'grant.revoke', kind: 'mutation', input: ({ grant }) => ({ grant }) },
  'grants.revokeSession': {
    needs: 'grant.revoke',
    kind: 'mutation',
    input: ({ visitor }) => ({ session: visitor }),
  },
  'grants.restore': { needs: 'grant.revoke', kind: 'mutation', input: ({ revocation }) => ({ revocation }) },
  'hostnames.list': { needs: 'hostname.read', kind: 'query', input: ({ site }) => ({ site }) },
  'hostnames.refused': { needs: 'hostname.read', kind: 'query', input: ({ site }) => ({ site }) },
  'hostnames.add': {
    needs: 'hostname.write',
    kind: 'mutation',
    input: ({ site }) => ({ site, hostname: 'new.example' }),
  },
  'hostnames.remove': {
    needs: 'hostname.write',
    kind: 'mutation',
    input: ({ site }) => ({ site, hostname: 'shop.example' }),
  },
  'incidents.list': { needs: 'decision.read', kind: 'query' },
  'incidents.emails': { needs: 'incident.email', kind: 'query' },
  'incidents.setEmails': { needs: 'incident.email', kind: 'mutation', input: () => ({ on: false }) },
  'incidents.get': { needs: 'decision.read', kind: 'query', input: ({ incident }) => ({ id: incident }) },
  'members.list': { needs: 'member.read', kind: 'query' },
  'members.unprotected': { needs: 'member.read', kind: 'query' },
  'members.invitations': { needs: 'member.read', kind: 'query' },
  'members.invite': {
    needs: 'member.write',
    kind: 'mutation',
    input: () => ({ email: 'invited@people.example', role: 'viewer' }),
  },
  'members.revokeInvitation': {
    needs: 'member.write',
    kind: 'mutation',
    input: ({ invitation }) => ({ id: invitation }),
  },
  'members.invitation': { needs: 'link', kind: 'query', input: ({ invitation }) => ({ id: invitation }) },
  'members.offers': { needs: 'signed in', kind: 'query' },
  'members.accept': { needs: 'signed in', kind: 'mutation', input: ({ invitation }) => ({ id: invitation }) },
  'members.changeRole': {
    needs: 'member.write',
    kind: 'mutation',
    input: ({ member }) => ({ member, role: 'developer' }),
  },
  'members.remove': { needs: 'member.write', kind: 'mutation', input: ({ member }) => ({ member }) },
  'members.leave': { needs: 'tenant.read', kind: 'mutation' },
  'members.transfer': { needs: 'tenant.transfer', kind: 'mutation', input: ({ member }) => ({ member }) },
  'networks.list': { needs: 'network.read', kind: 'query', input: ({ site }) => ({ site }) },
  'networks.preview': {
    needs: 'network.read',
    kind: 'query',
    input: ({ site }) => ({ site, network: '198.51.100.0/24' }),
  },
  'networks.add': {
    needs: 'settings.write',
    kind: 'mutation',
    input: ({ site }) => ({ site, network: '198.51.100.0/24', verdict: 'dear', note: 'New' }),
  },
  'networks.change': {
    needs: 'settings.write',
    kind: 'mutation',
    input: ({ site }) => ({ site, network: '203.0.113.0/24', verdict: 'deny', note: 'Changed' }),
  },
  'networks.remove': {
    needs: 'settings.write',
    kind: 'mutation',
    input: ({ site }) => ({ site, network: '203.0.113.0/24' }),
  },
  'refusals.list': { needs: 'refusal.read', kind: 'query', input: ({ site }) => ({ site, ...RECENT }) },
  'refusals.explain': { needs: 'integration.read', kind: 'query', input: () => ({ error: 'intent-expired' }) },
  'refusals.groups': { needs: 'refusal.read', kind: 'query', input: ({ site }) => ({ site, ...RECENT }) },
  'secrets.list': { needs: 'secret.read', kind: 'query', input: ({ site }) => ({ site }) },
  'secrets.issue': { needs: 'secret.issue', kind: 'mutation', input: ({ site }) => ({ site }) },
  'secrets.rotate': { needs: 'secret.rotate', kind: 'mutation', input: ({ site }) => ({ site, overlap: 3600 }) },
  'secrets.revoke': { needs: 'secret.revoke', kind: 'mutation', input: ({ site, secret }) => ({ site, secret }) },
  'session.me': { needs: 'anybody', kind: 'query' },
  'session.activity': { needs: 'signed in', kind: 'query' },
  'session.list': { needs: 'signed in', kind: 'query' },
  'session.revoke': { needs: 'signed in', kind: 'mutation', input: ({ session }) => ({ id: session }) },
  'session.revokeOthers': { needs: 'signed in', kind: 'mutation' },
  'sites.list': { needs: 'site.read', kind: 'query' },
  'sites.get': { needs: 'site.read', kind: 'query', input: ({ site }) => ({ site }) },
  'sites.activity': { needs: 'traffic.read', kind: 'query', input: ({ site }) => ({ site }) },
  'sites.integration': { needs: 'integration.read', kind: 'query', input: ({ site }) => ({ site }) },
  'sites.doctor': { needs: 'refusal.read', kind: 'query', input: ({ site }) => ({ site }) },
  'sites.create': {
    needs: 'site.write',
    kind: 'mutation',
    input: () => ({ name: 'New', hostnames: ['new.example'] }),
  },
  'sites.tryOpen': { needs: 'site.write', kind: 'mutation', input: ({ site }) => ({ site }) },
  'sites.tryRedeem': {
    needs: 'site.write',
    kind: 'mutation',
    input: ({ site }) => ({ site, intentId: newId(), response: 'tgr_x' }),
  },
  'sites.rename': { needs: 'site.write', kind: 'mutation', input: ({ site }) => ({ site, name: 'Renamed' }) },
  'sites.pause': { needs: 'site.write', kind: 'mutation', input: ({ site }) => ({ site }) },
  'sites.resume': { needs: 'site.write', kind: 'mutation', input: ({ site }) => ({ site }) },
  'sites.policy': { needs: 'settings.read', kind: 'query', input: ({ site }) => ({ site }) },
  'sites.setPolicy': {
    needs: 'settings.write',
    kind: 'mutation',
    input: ({ site }) => ({
      site,
      policy: {
        baseWork: 2048,
        workMode: 'fixed',
        challengeKind: 'auto',
        refuseAutomation: true,
        actions: [],
        grantsEnabled: false,
        grantMaxTtl: 60,
        grantMaxUses: 1,
        grantRenewal: 0,
        ratePerSecond: 10,
        rateBurst: 10,
        subjectLimit: 5,
        networkLimit: 30,
      },
    }),
  },
  'sites.setAttackMode': { needs: 'settings.write', kind: 'mutation', input: ({ site }) => ({ site, on: true }) },
  'sites.compare': {
    needs: 'settings.read',
    kind: 'query',
    input: ({ site }) => ({ site, difficulty: DIFFICULTY }),
  },
  'sites.shadow': { needs: 'settings.read', kind: 'query', input: ({ site }) => ({ site }) },
  'sites.setShadow': {
    needs: 'settings.write',
    kind: 'mutation',
    input: ({ site }) => ({ site, difficulty: DIFFICULTY }),
  },
  'sites.discardShadow': { needs: 'settings.write', kind: 'mutation', input: ({ site }) => ({ site }) },
  'sites.delete': { needs: 'site.delete', kind: 'mutation', input: ({ site }) => ({ site, confirm: 'Test' }) },
  'system.overview': { needs: 'anybody', kind: 'query' },
  'tenants.create': { needs: 'signed in', kind: 'mutation', input: () => ({ name: 'Another' }) },
  'tenants.get': { needs: 'tenant.read', kind: 'query' },
  'tenants.search': { needs: 'tenant.read', kind: 'query', input: () => ({ text: 'Test' }) },
  'tenants.summary': { needs: 'tenant.read', kind: 'query' },
  'tenants.rename': { needs: 'tenant.write', kind: 'mutation', input: () => ({ name: 'Renamed' }) },
  'tenants.update': { needs: 'tenant.write', kind: 'mutation', input: () => ({ slug: `moved-${newId().slice(-12)}` }) },
  'tenants.delete': { needs: 'tenant.delete', kind: 'mutation', input: ({ tenant }) => ({ confirm: tenant.slug }) },
  'usage.statement': { needs: 'billing.read', kind: 'query', input: () => ({ month: thisMonth }) },
  'usage.alerts': { needs: 'usage.read', kind: 'query' },
  'usage.requestUnits': { needs: 'usage.request', kind: 'mutation', input: () => ({ units: 5000, why: 'A sale' }) },
  'usage.setAlerts': { needs: 'usage.alert', kind: 'mutation', input: () => ({ percents: [50] }) },
  'usage.meter': { needs: 'tenant.read', kind: 'query' },
  'usage.months': { needs: 'billing.read', kind: 'query' },
  'usage.entries': { needs: 'billing.read', kind: 'query' },
  'usage.series': {
    needs: 'traffic.read',
    kind: 'query',
    input: ({ site }) => ({ site, ...RECENT }),
  },
  'usage.bySite': { needs: 'traffic.read', kind: 'query', input: () => ({ ...RECENT }) },
  'views.list': { needs: 'tenant.read', kind: 'query', input: () => ({ page: 'decisions' }) },
  'views.save': {
    needs: 'tenant.read',
    kind: 'mutation',
    input: () => ({ page: 'decisions', name: 'Slow', search: { slow: 5000 } }),
  },
  'views.delete': { needs: 'tenant.read', kind: 'mutation', input: () => ({ page: 'decisions', name: 'Kept' }) },
}

/** Queries whose answers name no row of a tenant: they count, or repeat what the caller gave. */
const NAMELESS = new Set([
  'decisions.archive',
  'incidents.emails',
  'members.invitations',
  'networks.preview',
  'refusals.explain',
  'sites.activity',
  'sites.compare',
  'sites.integration',
  'sites.policy',
  'sites.shadow',
  'usage.alerts',
  'usage.meter',
  'usage.months',
])

/** Lists in which a site that is not the tenant's is a filter that nothing matches. */
const FILTERED = new Set(['feedback.list', 'grants.list', 'refusals.list'])

let app: TestApp
let people: Record<Role, SignedIn>
let viewer: SignedIn
let coOwner: SignedIn
let guest: SignedIn
/** Owner of other tenants. */
let stranger: SignedIn
/** A member of staff. */
let support: SignedIn

beforeAll(async () => {
  app = await openTestApp()
  people = await makeStaffing(app, await makeTenant(app))
  ;[viewer, coOwner, guest] = await Promise.all([makePerson(app), makePerson(app), makePerson(app)])
  stranger = await makePerson(app)
  support = await makeStaff(app, 'support')
})
afterAll(() => app.close())

/** A new tenant of the stranger: an earlier test may have deleted or renamed the last one. Returns its slug. */
async function strangersTenant(): Promise<string> {
  const { id, slug } = await makeTenant(app)
  await app.sql.query(`insert into member (id, tenant_id, user_id, role) values ($1, $2, $3, 'owner')`, [
    newId(),
    id,
    stranger.userId,
  ])
  return slug
}

async function makeWorld(): Promise<World> {
  const { prisma } = app.ctx
  const tenant = await makeTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const secret = await prisma.secret.findFirstOrThrow({ where: { siteId: site.siteId } })
  const [member, invitation, session, event] = [newId(), newId(), newId(), newId()]
  const inThreeDays = new Date(Date.now() + 72 * 3_600_000)
  await prisma.member.createMany({
    data: [
      ...ROLES.map((role) => ({ id: newId(), tenantId: tenant.id, userId: people[role].userId, role })),
      { id: newId(), tenantId: tenant.id, userId: coOwner.userId, role: 'owner' },
      { id: member, tenantId: tenant.id, userId: viewer.userId, role: 'viewer' },
    ],
  })
  await prisma.invitation.create({
    data: {
      id: invitation,
      tenantId: tenant.id,
      email: guest.email,
      role: 'viewer',
      inviterId: coOwner.userId,
      expiresAt: inThreeDays,
    },
  })
  await prisma.session.create({ data: { id: session, userId: guest.userId, token: session, expiresAt: inThreeDays } })
  await recordAudit(
    { prisma },
    {
      id: event,
      tenantId: tenant.id,
      actorType: 'user',
      actorId: coOwner.userId,
      action: 'site.rename',
      target: site.siteId,
    },
  )
  await prisma.networkRule.create({
    data: {
      id: newId(),
      tenantId: tenant.id,
      siteId: site.siteId,
      network: '203.0.113.0/24',
      verdict: 'allow',
      note: `Office of ${tenant.id}`,
      actorType: 'user',
      actorId: coOwner.userId,
    },
  })
  await prisma.savedView.createMany({
    data: ROLES.map((role) => ({
      id: newId(),
      tenantId: tenant.id,
      userId: people[role].userId,
      page: 'decisions',
      name: 'Kept',
      search: { device: 'mobile', action: tenant.id },
    })),
  })
  const [decision = '', reported = '', fresh = ''] = await makeDecisions(app, site, [{}, {}, {}])
  await prisma.intent.create({
    data: {
      id: fresh,
      tenantId: tenant.id,
      siteId: site.siteId,
      nonce: fresh,
      action: 'checkout',
      hostname: 'shop.example',
      expiresAt: inThreeDays,
    },
  })
  const [grant, revoked, revocation] = [newId(), newId(), newId()]
  const visitor = grant.replaceAll('-', '').repeat(2)
  const [revokedAt, grants] = [new Date(), { session: visitor, uses: 1, usesAsked: 1, ttlAsked: 900 }]
  await prisma.grant.createMany({
    data: [
      { id: grant, decisionId: decision, revokedAt: null },
      { id: revoked, decisionId: reported, revokedAt },
    ].map((one) => ({ ...one, ...grants, tenantId: tenant.id, siteId: site.siteId, expiresAt: inThreeDays })),
  })
  await prisma.grantRevocation.create({
    data: { id: revocation, tenantId: tenant.id, target: revoked, grantIds: [revoked], revokedAt },
  })
  const [report, entry, refusal] = [newId(), newId(), newId()]
  await Promise.all([
    prisma.feedbackEvent.create({
      data: {
        siteId: site.siteId,
        eventId: report,
        tenantId: tenant.id,
        decisionId: reported,
        revision: 1,
        outcome: 'unknown',
        businessType: entry,
        occurredAt: revokedAt,
      },
    }),
    prisma.hostname.create({
      data: { siteId: site.siteId, tenantId: tenant.id, hostname: `allowed.${entry}.example` },
    }),
    prisma.usageHour.createMany({
      data: [
        { measure: 'refused' as const, label: `/intents bad-field ${entry}` },
        { measure: 'feedback_type' as const, label: `unknown ${entry}` },
      ].map((counted) => ({ ...counted, tenantId: tenant.id, siteId: site.siteId, hour: THIS_HOUR, n: 1n })),
    }),
    prisma.usageDay.create({
      data: { tenantId: tenant.id, siteId: site.siteId, day: TODAY, measure: 'redeemed', label: 'quota', n: 3n },
    }),
    prisma.balanceEntry.create({
      data: { id: entry, tenantId: tenant.id, units: 1, reason: 'Goodwill', actorType: 'operator', actorId: 'test' },
    }),
    prisma.refusal.create({
      data: {
        id: refusal,
        tenantId: tenant.id,
        siteId: site.siteId,
        endpoint: '/intents',
        code: 'bad-field',
        field: 'hostname',
        hostname: `refused.${entry}.example`,
        reference: refusal.slice(-8),
      },
    }),
  ])
  const incident = newId()
  await prisma.incident.create({
    data: {
      id: incident,
      tenantId: tenant.id,
      siteId: site.siteId,
      kind: 'refusals',
      startedAt: new Date(),
      seenAt: new Date(),
      peak: 60,
      usual: 0,
      networks: 0,
      workFrom: 64,
      workTo: 64,
      honestWork: 64,
    },
  })
  return {
    tenant,
    site: site.siteId,
    secret: secret.id,
    member,
    invitation,
    session,
    event,
    incident,
    decision,
    reported,
    fresh,
    grant,
    visitor,
    revocation,
    private: [
      tenant.id,
      site.siteId,
      site.sitekey,
      secret.id,
      secret.last4,
      member,
      event,
      incident,
      decision,
      fresh,
      reported,
      grant,
      report,
      entry,
      refusal.replaceAll('-', ''),
      viewer.email,
      coOwner.email,
    ],
  }
}

const call = async (
  browser: Pick<SignedIn, 'query' | 'mutate' | 'cookies'>,
  path: string,
  { kind }: Case,
  input: object,
): Promise<Called> => {
  const ask = () => (kind === 'query' ? browser.query(path, input) : browser.mutate(path, input))
  const reply = await (kind === 'subscription' ? answerOf(app, browser, path, input) : ask())
  if (reply.status !== 200) expectSentence(reply)
  return reply
}

/** All rows of the tenant, as text, which outsiders must not change. */
async function stateOf({ tenant, session }: World): Promise<string> {
  const tables = [
    'site',
    'hostname',
    'secret',
    'member',
    'invitation',
    'audit_event',
    'grant_revocation',
    'quota_period',
    'balance',
    'captcha_grant',
    'feedback_event',
    'saved_view',
    'network_rule',
    'incident',
  ]
  const rows = await Promise.all([
    app.sql.query('select * from tenant where id = $1', [tenant.id]),
    app.sql.query('select * from session where id = $1', [session]),
    ...tables.map((table) =>
      app.sql.query(`select * from ${table} t where tenant_id = $1 order by t::text`, [tenant.id]),
    ),
  ])
  return JSON.stringify(rows.map((result) => result.rows))
}

/** Procedures for staff are in staffMatrix.test.ts. */
const procedures = Object.keys(appRouter._def.procedures).filter((path) => !path.startsWith('staff.'))

test('the matrix lists exactly the existing procedures', () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(procedures.toSorted())
})

const all = Object.entries(MATRIX)
const ofTenant = all.flatMap(([path, entry]) =>
  entry.needs === 'anybody' || entry.needs === 'signed in' || entry.needs === 'link'
    ? []
    : [{ path, entry, needs: entry.needs }],
)
const ofPerson = all.filter(([, { needs }]) => needs === 'anybody' || needs === 'signed in' || needs === 'link')
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
})
const takesIds = all.filter(([, { needs, input }]) => {
  if (needs === 'link') return false
  const probe = input?.({ tenant: { id: '', slug: '' }, visitor: '', private: [], ...named('an id') }) ?? {}
  return Object.values(probe).includes('an id')
})

const inputOf = ({ input }: Case, world: World, slug = world.tenant.slug) => ({ tenant: slug, ...input?.(world) })

describe.each(ofTenant)('$path', ({ path, entry, needs }) => {
  test.each(ROLES)('allows %s only with the permission', async (role) => {
    const world = await makeWorld()
    const before = await stateOf(world)
    const { status, code, data } = await call(people[role], path, entry, inputOf(entry, world))
    // otherwise the tests below, in which strangers get none of it, could not fail
    const isRead = role === 'owner' && entry.kind === 'query'
    const named = isRead ? namesRowOf(world, data) : undefined
    const wrote = (await stateOf(world)) !== before
    expect({ status, code, wrote, named }).toEqual(
      may(role, needs)
        ? {
            status: 200,
            code: undefined,
            wrote: entry.kind === 'mutation',
            named: isRead ? !NAMELESS.has(path) : undefined,
          }
        : { status: 403, code: 'FORBIDDEN', wrote: false, named: undefined },
    )
  })

  test('answers not-found to a member of another tenant and writes nothing', async () => {
    const world = await makeWorld()
    const before = await stateOf(world)
    const reply = await call(stranger, path, entry, inputOf(entry, world))
    expect(reply.code).toBe('NOT_FOUND')
    expectNothing(world, reply)
    expect(await stateOf(world)).toBe(before)
  })
})

test.each(ofTenant)(
  '$path allows staff who view as a member only what an admin can read',
  async ({ path, entry, needs }) => {
    const world = await makeWorld()
    await app.sql.query(
      `insert into view_as (id, tenant_id, user_id, reason, ends_at) values ($1, $2, $3, 'test', now() + interval '30 min')`,
      [newId(), world.tenant.id, support.userId],
    )
    const before = await stateOf(world)
    const { status, reason } = await call(support, path, entry, inputOf(entry, world))
    const writes = entry.kind === 'mutation'
    expect({ status, readOnly: reason === 'view-as-read-only' }).toEqual({
      status: !writes && may('admin', needs) ? 200 : 403,
      readOnly: writes,
    })
    expect(await stateOf(world)).toBe(before)
  },
)

test.each(ofPerson)('%s answers its intended caller', async (path, entry) => {
  const { status, message } = await call(guest, path, entry, inputOf(entry, await makeWorld()))
  expect({ status, message }).toEqual({ status: 200, message: '' })
})

test.each(all)('%s refuses callers who are not signed in and writes nothing', async (path, entry) => {
  const world = await makeWorld()
  const before = await stateOf(world)
  const reply = await call(createBrowser(app), path, entry, inputOf(entry, world))
  expect(reply.status).toBe(entry.needs === 'anybody' || entry.needs === 'link' ? 200 : 401)
  expectNothing(world, reply)
  expect(await stateOf(world)).toBe(before)
})

test.each(all)('%s returns nothing for ids of another tenant', async (path, entry) => {
  const world = await makeWorld()
  const before = await stateOf(world)
  const input = inputOf(entry, world, await strangersTenant())
  expectNothing(world, await call(stranger, path, entry, input))
  // a list of all sites, where the site is optional
  if (entry.kind === 'query' && 'site' in input)
    expectNothing(world, await call(stranger, path, entry, { ...input, site: undefined }))
  expect(await stateOf(world)).toBe(before)
})

test.each(takesIds)('%s gives an id of another tenant the same answer as an unknown id', async (path, entry) => {
  const world = await makeWorld()
  const nothing = { ...world, ...named(newId()) }
  const foreign = await call(stranger, path, entry, inputOf(entry, world, await strangersTenant()))
  expect(foreign.code).toBe(FILTERED.has(path) ? undefined : 'NOT_FOUND')
  expect(foreign).toEqual(await call(stranger, path, entry, inputOf(entry, nothing, await strangersTenant())))
})

function expectNothing(world: World, reply: Called): void {
  const text = JSON.stringify(reply)
  for (const secret of world.private) expect(text).not.toContain(secret)
}

function namesRowOf(world: World, data: unknown): boolean {
  const text = JSON.stringify(data)
  return world.private.some((secret) => text.includes(secret))
}
