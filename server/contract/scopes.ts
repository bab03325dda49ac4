import type { Permission } from './permissions.ts'

/**
 * What a key of the management API may do: each scope is a set of permissions. A key has those of its scopes that its creator
 * has, too, at the moment of the call. It imports nothing at run time, so that the console can use it.
 */
export const SCOPES = {
  'sites:read': ['tenant.read', 'site.read', 'hostname.read', 'settings.read', 'network.read', 'integration.read'],
  'sites:write': ['site.write', 'site.delete', 'hostname.write'],
  'secrets:write': ['secret.read', 'secret.issue', 'secret.rotate', 'secret.revoke'],
  'settings:write': ['settings.read', 'network.read', 'settings.write', 'usage.alert'],
  'traffic:read': ['traffic.read', 'decision.read', 'refusal.read', 'feedback.read', 'usage.read', 'billing.read'],
  'feedback:write': ['feedback.read', 'feedback.report'],
  'grants:write': ['grant.read', 'grant.revoke'],
  'members:read': ['member.read'],
  'members:write': ['member.write'],
  'audit:read': ['audit.read'],
  'webhooks:write': ['webhook.read', 'webhook.write'],
} as const satisfies Record<string, readonly Permission[]>

export type Scope = keyof typeof SCOPES

export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]]

/** Whether one of the scopes contains the permission. */
export const scopesHave = (scopes: readonly Scope[], permission: Permission): boolean =>
  scopes.some((scope) => (SCOPES[scope] as readonly Permission[]).includes(permission))

/** The scopes that contain the permission; a key needs one of them. */
export const scopesOf = (permission: Permission): Scope[] =>
  SCOPE_NAMES.filter((scope) => scopesHave([scope], permission))
