import type { Permission } from '../../server/contract/permissions.ts'
import { DEFAULT_POLICY } from '../../server/contract/sitePolicy.ts'
import { newId } from '../../server/kit/crypto/ids.ts'
import type { World } from './world.ts'

/**
 * Who may call the procedure: members with a permission, or its callers (`nobody`: only with an API key; `link`: anyone with the object's id, which was e-mailed).
 * And its input in addition to the tenant's slug.
 */
export type Case = [
  needs: Permission | 'nobody' | 'anybody' | 'signed in' | 'link',
  input?: (world: World) => Record<string, unknown>,
]

const thisMonth = `${new Date().toISOString().slice(0, 7)}-01`
const now = Math.floor(Date.now() / 1000)
/** All rows of a world are in it. */
const RECENT = { from: now - 86_400, to: now + 86_400 }
const DIFFICULTY = { baseWork: 2048, workMode: 'fixed', challengeKind: 'sha256', actions: [] }

/** Every procedure of the console. A new one fails in server/admin/matrix.test.ts until it is listed here. */
export const MATRIX: Record<string, Case> = {
  'audit.list': ['audit.read'],
  'audit.get': ['audit.read', ({ event }) => ({ id: event })],
  'decisions.list': ['decision.read'],
  'decisions.get': ['decision.read', ({ decision }) => ({ id: decision })],
  'decisions.archive': ['decision.read'],
  'decisions.tail': ['decision.read'],
  'references.get': ['anybody', ({ reference }) => ({ reference })],
  'feedback.list': ['feedback.read', ({ site }) => ({ site, ...RECENT })],
  'feedback.rates': ['feedback.read', ({ site }) => ({ site, ...RECENT })],
  'feedback.history': ['feedback.read', ({ reported }) => ({ decision: reported })],
  'feedback.report': [
    'feedback.report',
    ({ decision }) => ({
      decision,
      event: newId(),
      outcome: 'legitimate',
      businessType: 'manual_review',
      occurredAt: Math.floor(Date.now() / 1000),
    }),
  ],
  'grants.list': ['grant.read', ({ site }) => ({ site, ...RECENT })],
  'grants.issue': ['grant.issue', ({ fresh }) => ({ decision: fresh })],
  'grants.revoke': ['grant.revoke', ({ grant }) => ({ grant })],
  'grants.revokeSession': ['grant.revoke', ({ visitor }) => ({ session: visitor })],
  'grants.restore': ['grant.revoke', ({ revocation }) => ({ revocation })],
  'hostnames.list': ['hostname.read', ({ site }) => ({ site })],
  'hostnames.refused': ['hostname.read', ({ site }) => ({ site })],
  'hostnames.add': ['hostname.write', ({ site }) => ({ site, hostname: 'new.example' })],
  'hostnames.remove': ['hostname.write', ({ site }) => ({ site, hostname: 'shop.example' })],
  'incidents.list': ['decision.read'],
  'incidents.emails': ['incident.email'],
  'incidents.setEmails': ['incident.email', () => ({ on: false })],
  'incidents.share': ['incident.share', ({ incident }) => ({ id: incident })],
  'incidents.unshare': ['incident.share', ({ incident }) => ({ id: incident })],
  'incidents.shared': ['link', ({ shareToken }) => ({ token: shareToken })],
  'incidents.get': ['decision.read', ({ incident }) => ({ id: incident })],
  'keys.list': ['key.read'],
  'keys.create': ['key.write', () => ({ name: 'New', scopes: ['sites:read'] })],
  'keys.revoke': ['key.write', ({ key }) => ({ key })],
  'members.list': ['member.read'],
  'members.unprotected': ['member.read'],
  'members.invitations': ['member.read'],
  'members.invite': ['member.write', () => ({ email: 'invited@people.example', role: 'viewer' })],
  'members.revokeInvitation': ['member.write', ({ invitation }) => ({ id: invitation })],
  'members.invitation': ['link', ({ invitation }) => ({ id: invitation })],
  'members.offers': ['signed in'],
  'members.accept': ['signed in', ({ invitation }) => ({ id: invitation })],
  'members.changeRole': ['member.write', ({ member }) => ({ member, role: 'developer' })],
  'members.remove': ['member.write', ({ member }) => ({ member })],
  'members.leave': ['tenant.read'],
  'members.transfer': ['tenant.transfer', ({ member }) => ({ member })],
  'networks.list': ['network.read', ({ site }) => ({ site })],
  'networks.preview': ['network.read', ({ site }) => ({ site, network: '198.51.100.0/24' })],
  'networks.add': [
    'settings.write',
    ({ site }) => ({ site, network: '198.51.100.0/24', verdict: 'dear', note: 'New' }),
  ],
  'networks.change': [
    'settings.write',
    ({ site }) => ({ site, network: '203.0.113.0/24', verdict: 'deny', note: 'Changed' }),
  ],
  'networks.remove': ['settings.write', ({ site }) => ({ site, network: '203.0.113.0/24' })],
  'refusals.list': ['refusal.read', ({ site }) => ({ site, ...RECENT })],
  'refusals.groups': ['refusal.read', ({ site }) => ({ site, ...RECENT })],
  'secrets.list': ['secret.read', ({ site }) => ({ site })],
  'secrets.issue': ['secret.issue', ({ site }) => ({ site })],
  'secrets.rotate': ['secret.rotate', ({ site }) => ({ site, overlap: 3600 })],
  'secrets.revoke': ['secret.revoke', ({ site, secret }) => ({ site, secret })],
  'session.me': ['anybody'],
  'keys.whoami': ['nobody'],
  'session.activity': ['signed in'],
  'session.list': ['signed in'],
  'session.revoke': ['signed in', ({ session }) => ({ id: session })],
  'session.revokeOthers': ['signed in'],
  'sites.list': ['site.read'],
  'sites.get': ['site.read', ({ site }) => ({ site })],
  'sites.activity': ['traffic.read', ({ site }) => ({ site })],
  'sites.integration': ['integration.read', ({ site }) => ({ site })],
  'sites.attention': ['traffic.read'],
  'sites.doctor': ['refusal.read', ({ site }) => ({ site })],
  'sites.create': ['site.write', () => ({ name: 'New', hostnames: ['new.example'] })],
  'sites.tryOpen': ['site.write', ({ site }) => ({ site })],
  'sites.tryRedeem': ['site.write', ({ site }) => ({ site, intentId: newId(), response: 'tgr_x' })],
  'sites.rename': ['site.write', ({ site }) => ({ site, name: 'Renamed' })],
  'sites.count': ['site.read'],
  'sites.pause': ['site.write', ({ site }) => ({ site })],
  'sites.resume': ['site.write', ({ site }) => ({ site })],
  'sites.policy': ['settings.read', ({ site }) => ({ site })],
  'sites.setPolicy': [
    'settings.write',
    ({ site }) => ({
      site,
      policy: { ...DEFAULT_POLICY, refuseAutomation: true, networkLimit: 30 },
    }),
  ],
  'sites.setAttackMode': ['settings.write', ({ site }) => ({ site, on: true })],
  'sites.attackEffect': ['settings.read', ({ site }) => ({ site })],
  'sites.compare': ['settings.read', ({ site }) => ({ site, difficulty: DIFFICULTY })],
  'sites.shadow': ['settings.read', ({ site }) => ({ site })],
  'sites.setShadow': ['settings.write', ({ site }) => ({ site, difficulty: DIFFICULTY })],
  'sites.discardShadow': ['settings.write', ({ site }) => ({ site })],
  'sites.delete': ['site.delete', ({ site }) => ({ site, confirm: 'Test' })],
  'system.overview': ['anybody'],
  'system.explain': ['anybody', () => ({ error: 'intent-expired' })],
  'system.tryOpen': ['anybody', () => ({})],
  'system.tryRedeem': ['anybody', () => ({ intentId: newId(), response: 'tgr_x' })],
  'tenants.create': ['signed in', () => ({ name: 'Another' })],
  'tenants.get': ['tenant.read'],
  'tenants.search': ['tenant.read', () => ({ text: 'Test' })],
  'tenants.summary': ['tenant.read'],
  'tenants.rename': ['tenant.write', () => ({ name: 'Renamed' })],
  'tenants.update': ['tenant.write', () => ({ slug: `moved-${newId().slice(-12)}` })],
  'tenants.delete': ['tenant.delete', ({ tenant }) => ({ confirm: tenant.slug })],
  'usage.statement': ['billing.read', () => ({ month: thisMonth })],
  'usage.alerts': ['usage.read'],
  'usage.request': ['usage.read'],
  'usage.requestUnits': ['usage.request', () => ({ units: 5000, reason: 'A sale' })],
  'usage.setAlerts': ['usage.alert', () => ({ percents: [50] })],
  'usage.meter': ['tenant.read'],
  'usage.months': ['billing.read'],
  'usage.entries': ['billing.read'],
  'usage.series': ['traffic.read', ({ site }) => ({ site, ...RECENT })],
  'usage.bySite': ['traffic.read', () => ({ ...RECENT })],
}

/** Queries whose answers name no row of a tenant: they count, or repeat what the caller gave. */
export const NAMELESS = new Set([
  'decisions.archive',
  'incidents.emails',
  'sites.attention',
  'members.invitations',
  'networks.preview',
  'sites.activity',
  'sites.attackEffect',
  'sites.compare',
  'sites.count',
  'sites.integration',
  'sites.policy',
  'sites.shadow',
  'usage.alerts',
  'usage.meter',
  'usage.request',
  'usage.months',
])

/** Lists in which a site that is not the tenant's is a filter that nothing matches. */
export const FILTERED = new Set(['feedback.list', 'grants.list', 'refusals.list'])
