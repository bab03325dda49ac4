import type { AuditRow } from './api.ts'

/** What happened, by the code of the action. */
export const ACTION_LABELS: Readonly<Record<string, string>> = {
  'balance.add': 'Balance changed',
  'feedback.correct': 'Feedback corrected',
  'feedback.report': 'Feedback reported',
  'grant.issue': 'Grant issued',
  'grant.restore': 'Grant restored',
  'grant.revoke': 'Grant revoked',
  'hostname.add': 'Hostname allowed',
  'hostname.remove': 'Hostname removed',
  'incident.share': 'Incident shared',
  'incident.unshare': 'Incident no longer shared',
  'job.delete': 'Failed job deleted',
  'job.retry': 'Failed job tried again',
  'key.create': 'API key created',
  'key.revoke': 'API key revoked',
  'ledger.ask_reconcile': 'Reconciliation requested',
  'member.change_role': 'Role changed',
  'member.invite': 'Member invited',
  'member.join': 'Member joined',
  'member.leave': 'Member left',
  'member.remove': 'Member removed',
  'member.revoke_invitation': 'Invitation revoked',
  'member.set_incident_emails': 'Incident e-mails changed',
  'network.add': 'Network added',
  'network.change': 'Network changed',
  'network.remove': 'Network removed',
  'note.add': 'Note added',
  'note.read': 'Notes viewed',
  'password.change': 'Password changed',
  'password.reset': 'Password reset',
  'person.erase': 'Person erased',
  'person.export': 'Personal data exported',
  'quota.set': 'Quota changed',
  'secret.issue': 'Secret key created',
  'secret.revoke': 'Secret key revoked',
  'secret.rotate': 'Secret key rotated',
  'session.create': 'Signed in',
  'session.logout': 'Signed out',
  'session.revoke': 'Session ended',
  'session.revoke_others': 'Other sessions ended',
  'site.create': 'Site created',
  'site.delete': 'Site deleted',
  'site.discard_shadow': 'Shadow policy discarded',
  'site.end_attack_mode': 'Attack mode ended',
  'site.pause': 'Site paused',
  'site.rename': 'Site renamed',
  'site.resume': 'Site resumed',
  'site.set_policy': 'Policy changed',
  'site.set_shadow': 'Shadow policy saved',
  'site.start_attack_mode': 'Attack mode started',
  'site.try': 'Verification tried in the console',
  'staff.appoint': 'Staff level changed',
  'staff.list': 'List viewed',
  'staff.search': 'Searched',
  'tenant.approve_units': 'Units approved',
  'tenant.create': 'Tenant created',
  'tenant.decline_units': 'Units declined',
  'tenant.delete': 'Tenant deleted',
  'tenant.export': 'List exported',
  'tenant.read': 'Tenant viewed',
  'tenant.request_units': 'Units requested',
  'tenant.restore': 'Tenant restored',
  'tenant.suspend': 'Tenant suspended',
  'tenant.transfer': 'Ownership transferred',
  'tenant.update': 'Tenant changed',
  'units.approve': 'Units approved',
  'units.ask': 'Approval requested',
  'units.reject': 'Units rejected',
  'usage.set_alerts': 'Usage e-mails changed',
  'view_as.end': 'Viewing ended',
  'view_as.start': 'Viewing started',
  'visitor.erase': 'Visitor erased',
  'webhook.create': 'Webhook created',
  'webhook.delete': 'Webhook deleted',
  'webhook.resend': 'Webhook delivery sent again',
  'webhook.rotate': 'Webhook secret rotated',
  'webhook.test': 'Webhook tested',
  'webhook.update': 'Webhook changed',
}

const LABELLED = Object.entries(ACTION_LABELS)

/** The codes of the actions with these words in their label, for a filter; what was typed if there are none. */
export function codesOf(typed: string): string {
  const words = typed.toLowerCase()
  const exact = LABELLED.filter(([, label]) => label.toLowerCase() === words)
  const found = exact.length > 0 ? exact : LABELLED.filter(([, label]) => label.toLowerCase().includes(words))
  const codes = found.map(([code]) => code).join(',')
  return codes === '' || codes.length > MAX_CODES ? typed : codes
}

/** The longest filter that the service accepts. */
const MAX_CODES = 200

/** The kinds of changes, by the search that finds them. */
export const KINDS: Readonly<Record<string, string>> = {
  'action:member': 'Members',
  'action:secret,key': 'Keys',
  'action:hostname': 'Hostnames',
  'action:network': 'Networks',
  'action:site': 'Sites',
  'action:policy,shadow': 'Policies',
  'action:grant': 'Grants',
  'action:feedback': 'Feedback',
  'action:incident': 'Incidents',
  'action:webhook': 'Webhooks',
  'action:units,quota,balance,usage': 'Units',
  'action:person,visitor,export': 'Personal data and exports',
  'action:tenant': 'Tenant',
  'actor:staff': 'Support',
}

/** Fields that name a target, the best first. */
const NAME_FIELDS = ['email', 'hostname', 'network', 'name', 'slug', 'url'] as const

/** The name of what was changed (its id if it has none), and the part of it that the event is about. */
export function describeTarget({
  target,
  targetName,
  before,
  after,
}: Pick<AuditRow, 'target' | 'targetName' | 'before' | 'after'>): { name: string; part: string | undefined } {
  const named = nameIn(after) ?? nameIn(before)
  const name = targetName ?? named ?? target
  const last4 = textOf(after, 'last4') ?? textOf(before, 'last4')
  const part = last4 === undefined ? named : `key …${last4}`
  return { name, part: part === name ? undefined : part }
}

function nameIn(side: unknown): string | undefined {
  for (const field of NAME_FIELDS) {
    const name = textOf(side, field)
    if (name !== undefined) return name
  }
  return undefined
}

function textOf(side: unknown, field: string): string | undefined {
  if (typeof side !== 'object' || side === null) return undefined
  const value: unknown = Reflect.get(side, field)
  return typeof value === 'string' ? value : undefined
}
