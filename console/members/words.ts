import { type Role, reaches } from '../../server/contract/permissions.ts'
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
