import { ROLES, type Role } from '../../server/contract/permissions.ts'
import { newId, randomBase62 } from '../../server/kit/crypto/ids.ts'
import { recordAudit } from '../../server/ledger/audit/record.ts'
import type { TestApp } from '../support/app.ts'
import { makePerson, type SignedIn } from '../support/browser.ts'
import { makeDecisions } from '../support/decisions.ts'
import { makeIncident } from '../support/incident.ts'
import { makeSite } from '../support/make.ts'
import { makeKey } from '../support/manage.ts'
import { makeStaff } from '../support/staff.ts'
import { makeStaffing, makeTenant } from '../support/tenant.ts'

/** The people of all worlds. */
export type Cast = {
  app: TestApp
  /** Members of each role. */
  people: Record<Role, SignedIn>
  viewer: SignedIn
  coOwner: SignedIn
  /** Invited, and no member yet. */
  guest: SignedIn
  /** Owner of other tenants. */
  stranger: SignedIn
  /** A member of staff. */
  support: SignedIn
}

export async function makeCast(app: TestApp): Promise<Cast> {
  const people = await makeStaffing(app, await makeTenant(app))
  const [viewer, coOwner, guest] = await Promise.all([makePerson(app), makePerson(app), makePerson(app)])
  return {
    app,
    people,
    viewer,
    coOwner,
    guest,
    stranger: await makePerson(app),
    support: await makeStaff(app, 'support'),
  }
}

/** A tenant for one test, with one object of each kind; its members are shared. */
export type World = {
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
  /** Of the link to its figures. */
  shareToken: string
  /** A redeemed intent. */
  decision: string
  /** Another one, with feedback. */
  reported: string
  /** Another one, which has issued no grant. */
  fresh: string
  /** A key of the management API. */
  key: string
  webhook: string
  /** Of the webhook. */
  delivery: string
  /** A grant, and its session. */
  grant: string
  visitor: string
  /** The revocation of another grant. */
  revocation: string
  /** The reference of a refused request. */
  reference: string
  /** Texts that only members may read. */
  private: string[]
}

const now = Math.floor(Date.now() / 1000)
const THIS_HOUR = new Date(now * 1000 - (now % 3600) * 1000)
const TODAY = new Date(now * 1000 - (now % 86_400) * 1000)

export async function makeWorld({ app, people, viewer, coOwner, guest }: Cast): Promise<World> {
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
  const shareToken = randomBase62(32)
  const incident = await makeIncident(app, site, {
    shareToken,
    startedAt: new Date(),
    seenAt: new Date(),
    endedAt: null,
  })
  const [webhook, delivery, webhookEvent] = [newId(), newId(), newId()]
  await prisma.webhookEndpoint.create({
    data: { id: webhook, tenantId: tenant.id, url: `https://${webhook}.example/`, types: ['site.paused'], secret: '' },
  })
  await prisma.webhookEvent.create({
    data: { id: webhookEvent, tenantId: tenant.id, type: 'webhook.test', body: '{}' },
  })
  await prisma.webhookDelivery.create({
    data: { id: delivery, tenantId: tenant.id, endpointId: webhook, eventId: webhookEvent },
  })
  const key = await makeKey(app, { tenantId: tenant.id, createdBy: coOwner.userId })
  return {
    tenant,
    site: site.siteId,
    secret: secret.id,
    member,
    invitation,
    session,
    event,
    incident,
    shareToken,
    decision,
    reported,
    fresh,
    grant,
    key: key.id,
    webhook,
    delivery,
    visitor,
    revocation,
    reference: refusal.slice(-8),
    private: [
      tenant.id,
      site.siteId,
      site.sitekey,
      secret.id,
      secret.last4,
      member,
      event,
      incident,
      shareToken,
      decision,
      fresh,
      reported,
      grant,
      key.id,
      webhook,
      delivery,
      report,
      entry,
      refusal.replaceAll('-', ''),
      viewer.email,
      coOwner.email,
    ],
  }
}
