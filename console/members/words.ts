import type { Permission, Role } from '../../server/accounts/permissions.ts'

/** What each role is called, and what it is for. */
export const ROLE_WORDS = {
  owner: { label: 'Owner', hint: 'Everything. Alone may change the tenant, transfer it and delete it.' },
  admin: { label: 'Admin', hint: 'Members, sites, keys, policies and the audit; everything but the tenant itself.' },
  developer: { label: 'Developer', hint: 'Sites, keys, hostnames, grants and decisions. No members, no billing.' },
  billing: { label: 'Billing', hint: 'Usage, balance and statements. No keys, no single decisions.' },
  viewer: { label: 'Viewer', hint: 'Reads sites, decisions, feedback and usage. Changes nothing, sees no keys.' },
} satisfies Record<Role, { label: string; hint: string }>

/** What each permission allows, in the order of the matrix. */
export const PERMISSION_WORDS = {
  'tenant.read': 'See the tenant and its quota',
  'tenant.write': 'Change name, address and second-factor rule',
  'tenant.transfer': 'Transfer the ownership',
  'tenant.delete': 'Delete the tenant',
  'member.read': 'See members and invitations',
  'member.write': 'Invite, change roles, remove',
  'audit.read': 'Read the audit',
  'site.read': 'See sites',
  'site.write': 'Create, rename and pause sites',
  'site.delete': 'Delete sites',
  'settings.read': 'See a site’s policy and limits',
  'settings.write': 'Change a site’s policy and limits',
  'hostname.read': 'See hostnames',
  'hostname.write': 'Allow and remove hostnames',
  'secret.read': 'See keys, never a secret’s text',
  'secret.issue': 'Issue secret keys',
  'secret.rotate': 'Rotate secret keys',
  'secret.revoke': 'Revoke secret keys at once',
  'integration.read': 'See snippets and check an integration',
  'traffic.read': 'See traffic in numbers',
  'decision.read': 'See single decisions',
  'feedback.read': 'See feedback',
  'feedback.report': 'Report and correct feedback',
  'grant.read': 'See grants',
  'grant.revoke': 'Revoke grants',
  'refusal.read': 'See what the API refused',
  'usage.read': 'See usage and forecast',
  'usage.alert': 'Choose when mail tells of usage',
  'billing.read': 'See balance and months',
} satisfies Record<Permission, string>

/** The matrix in parts: each permission's noun stands in one of them. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Tenant: ['tenant', 'member', 'audit'],
  Sites: ['site', 'settings', 'hostname', 'integration'],
  Keys: ['secret'],
  Traffic: ['traffic', 'decision', 'feedback', 'grant', 'refusal'],
  Usage: ['usage', 'billing'],
}
