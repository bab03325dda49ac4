import type { Permission } from '../../server/contract/permissions.ts'
import { newId } from '../../server/kit/crypto/ids.ts'
import type { World } from './world.ts'

export type Case = {
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
const DIFFICULTY = { baseWork: 2048, workMode: 'fixed', challengeKind: 'sha256', actions: [] }

/** Every procedure of the console. A new one fails in server/admin/matrix.test.ts until it is listed here. */
export const MATRIX: Record<string, Case> = {
  'audit.list': { needs: 'audit.read', kind: 'query' },
  'audit.get': { needs: 'audit.read', kind: 'query', input: ({ event }) => ({ id: event }) },
  'decisions.list': { needs: 'decision.read', kind: 'query' },
  'decisions.get': { needs: 'decision.read', kind: 'query', input: ({ decision }) => ({ id: decision }) },
  'decisions.archive': { needs: 'decision.read', kind: 'query' },
  'decisions.tail': { needs: 'decision.read', kind: 'subscription' },
  'references.get': { needs: 'anybody', kind: 'query', input: ({ reference }) => ({ reference }) },
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
  'sites.attackEffect': { needs: 'settings.read', kind: 'query', input: ({ site }) => ({ site }) },
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
export const NAMELESS = new Set([
  'decisions.archive',
  'incidents.emails',
  'members.invitations',
  'networks.preview',
  'refusals.explain',
  'sites.activity',
  'sites.attackEffect',
  'sites.compare',
  'sites.integration',
  'sites.policy',
  'sites.shadow',
  'usage.alerts',
  'usage.meter',
  'usage.months',
])

/** Lists in which a site that is not the tenant's is a filter that nothing matches. */
export const FILTERED = new Set(['feedback.list', 'grants.list', 'refusals.list'])
