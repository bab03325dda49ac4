/** Roles and permissions in one table, which the server enforces and the console shows. It imports nothing, so that both can use it. */

/** From the highest to the lowest. */
export const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const
export type Role = (typeof ROLES)[number]

const EVERYBODY: readonly Role[] = ROLES
const OWNERS: readonly Role[] = ['owner']
const ADMINS: readonly Role[] = ['owner', 'admin']
const BUILDERS: readonly Role[] = ['owner', 'admin', 'developer']
const READERS: readonly Role[] = ['owner', 'admin', 'developer', 'viewer']
const BOOKKEEPERS: readonly Role[] = ['owner', 'admin', 'billing']
const PAYERS: readonly Role[] = ['owner', 'admin', 'billing', 'viewer']

/** The roles that have each permission, by `noun.verb`. */
export const PERMISSIONS = {
  'tenant.read': EVERYBODY,
  'tenant.write': OWNERS,
  'tenant.transfer': OWNERS,
  'tenant.delete': OWNERS,
  'member.read': EVERYBODY,
  'member.write': ADMINS,
  'key.read': ADMINS,
  'key.write': ADMINS,
  'webhook.read': ADMINS,
  'webhook.write': ADMINS,
  'site.read': EVERYBODY,
  'site.write': BUILDERS,
  'site.delete': ADMINS,
  'settings.read': BUILDERS,
  'settings.write': ADMINS,
  'secret.read': BUILDERS,
  'secret.issue': BUILDERS,
  'secret.rotate': BUILDERS,
  'secret.revoke': ADMINS,
  'hostname.read': READERS,
  'hostname.write': BUILDERS,
  'network.read': BUILDERS,
  'integration.read': READERS,
  'traffic.read': EVERYBODY,
  'decision.read': READERS,
  'incident.email': BUILDERS,
  'incident.share': ADMINS,
  'grant.read': BUILDERS,
  'grant.issue': BUILDERS,
  'grant.revoke': BUILDERS,
  'refusal.read': BUILDERS,
  'feedback.read': READERS,
  'feedback.report': BUILDERS,
  'usage.read': PAYERS,
  'usage.alert': BOOKKEEPERS,
  'usage.request': BOOKKEEPERS,
  'billing.read': PAYERS,
  'audit.read': ADMINS,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof PERMISSIONS

export const may = (role: Role, permission: Permission): boolean => PERMISSIONS[permission].includes(role)

const roleName = (role: Role): string => role[0]?.toUpperCase() + role.slice(1)

/** The sentence for a missing permission. */
export function whyNot(role: Role, permission: Permission): `Needs ${string}. You are ${string}.` {
  const roles = PERMISSIONS[permission].map(roleName)
  const last = roles.at(-1) ?? ''
  const needed = roles.length > 1 ? `${roles.slice(0, -1).join(', ')} or ${last}` : last
  return `Needs ${needed}. You are ${roleName(role)}.`
}

/** The rank of a role. Developer and billing have different permissions and the same rank. */
const HEIGHT: Record<Role, number> = { owner: 3, admin: 2, developer: 1, billing: 1, viewer: 0 }

/** Whether `role` may assign, change or remove `other`: only roles of its own rank or below. */
export const reaches = (role: Role, other: Role): boolean => HEIGHT[role] >= HEIGHT[other]

/** The levels of staff, from the lowest to the highest. */
export const STAFF_LEVELS = ['support', 'lead'] as const
export type StaffLevel = (typeof STAFF_LEVELS)[number]

export const staffReaches = (level: StaffLevel, needed: StaffLevel): boolean =>
  STAFF_LEVELS.indexOf(level) >= STAFF_LEVELS.indexOf(needed)
