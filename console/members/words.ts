import { type Permission, type Role, reaches } from '../../server/contract/permissions.ts'
import type { RadioOption } from '../ui/form/RadioGroup.tsx'

/** The name and purpose of each role. */
export const ROLE_WORDS = {
  owner: { label: 'Owner', hint: 'Everything, including changing, transferring and deleting the tenant.' },
  admin: {
    label: 'Admin',
    hint: 'Members, sites, keys, policies and the audit log: everything but the tenant itself.',
  },
  developer: { label: 'Developer', hint: 'Sites, keys, hostnames, grants and decisions. No members, no billing.' },
  billing: { label: 'Billing', hint: 'Usage, balance and statements. No keys, no individual decisions.' },
  viewer: { label: 'Viewer', hint: 'Can view sites, decisions, feedback and usage. No changes, no keys.' },
} satisfies Record<Role, { label: string; hint: string }>

/** The label of each permission, in the order of the matrix. */
export const PERMISSION_LABELS = {
  'tenant.read': 'See the tenant and its quota',
  'tenant.write': 'Change name, URL and two-factor rule',
  'tenant.transfer': 'Transfer ownership',
  'tenant.delete': 'Delete the tenant',
  'member.read': 'See members and invitations',
  'member.write': 'Invite, change roles, remove',
  'audit.read': 'See the audit log',
  'webhook.read': 'See webhooks and their deliveries',
  'webhook.write': 'Create, change and delete webhooks',
  'site.read': 'See sites',
  'site.write': 'Create, rename and pause sites',
  'site.delete': 'Delete sites',
  'settings.read': 'See a site’s policy and limits',
  'settings.write': 'Change a site’s policy and limits',
  'hostname.read': 'See hostnames',
  'hostname.write': 'Allow and remove hostnames',
  'secret.read': 'See keys (never a secret’s value)',
  'secret.issue': 'Create secret keys',
  'secret.rotate': 'Rotate secret keys',
  'secret.revoke': 'Revoke secret keys',
  'network.read': 'See the site’s list of networks',
  'integration.read': 'See snippets and check an integration',
  'traffic.read': 'See traffic statistics',
  'decision.read': 'See individual decisions',
  'incident.email': 'Get e-mails about incidents',
  'incident.share': 'Share the figures of an incident as a link',
  'feedback.read': 'See feedback',
  'feedback.report': 'Report and correct feedback',
  'grant.read': 'See grants',
  'grant.issue': 'Issue grants',
  'grant.revoke': 'Revoke grants',
  'refusal.read': 'See refused requests',
  'usage.read': 'See usage and forecast',
  'usage.alert': 'Configure usage e-mails',
  'usage.request': 'Request more units',
  'billing.read': 'See balance and statements',
  'key.read': 'See API keys',
  'key.write': 'Create and revoke API keys',
} satisfies Record<Permission, string>

/** The sections of the matrix, by the noun of the permission. */
export const PERMISSION_GROUPS: Readonly<Record<string, readonly string[]>> = {
  Tenant: ['tenant', 'member', 'key', 'webhook', 'audit'],
  Sites: ['site', 'settings', 'hostname', 'network', 'integration'],
  Keys: ['secret'],
  Traffic: ['traffic', 'decision', 'incident', 'feedback', 'grant', 'refusal'],
  Usage: ['usage', 'billing'],
}

/** All roles with a hint each; roles above one's own are disabled with the reason. */
export const roleOptions = (own: Role): Record<Role, RadioOption> => ({
  owner: roleOption(own, 'owner'),
  admin: roleOption(own, 'admin'),
  developer: roleOption(own, 'developer'),
  billing: roleOption(own, 'billing'),
  viewer: roleOption(own, 'viewer'),
})

const roleOption = (own: Role, role: Role): RadioOption => ({
  ...ROLE_WORDS[role],
  reason: reaches(own, role) ? undefined : `You are ${ROLE_WORDS[own].label} and can’t assign a role above yours.`,
})
