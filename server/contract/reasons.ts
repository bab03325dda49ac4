import { type Permission, type Role, type StaffLevel, whyNot } from './permissions.ts'
import { scopesOf } from './scopes.ts'
import { SIGN_IN_REFUSALS, type SignInRefusal } from './signIn.ts'

/** What is shown to a person. The type keeps out codes: a sentence has a space and ends with a full stop. */
type Sentence = `${string} ${string}.`
/** A sentence, or how it is made of values. */
type Wording = Sentence | ((values: never) => Sentence)

const invalid = <W extends Wording>(sentence: W) => ({ code: 'BAD_REQUEST', sentence }) as const
const missing = <W extends Wording>(sentence: W) => ({ code: 'NOT_FOUND', sentence }) as const
const conflict = <W extends Wording>(sentence: W) => ({ code: 'CONFLICT', sentence }) as const
const forbidden = <W extends Wording>(sentence: W) => ({ code: 'FORBIDDEN', sentence }) as const
const tooMany = <W extends Wording>(sentence: W) => ({ code: 'TOO_MANY_REQUESTS', sentence }) as const
const unavailable = <W extends Wording>(sentence: W) => ({ code: 'SERVICE_UNAVAILABLE', sentence }) as const

/** The refusals of the identity provider's sign-in, which the console shows on a page of their own. */
const signIn = Object.fromEntries(
  Object.entries(SIGN_IN_REFUSALS).map(([reason, sentence]) => [reason, forbidden<Sentence>(sentence)]),
) as { [Refusal in SignInRefusal]: { readonly code: 'FORBIDDEN'; readonly sentence: Sentence } }

/**
 * Every reason for which the console's API and the command line refuse something: the code of tRPC, and the sentence for
 * the person, who reads nothing else. Programs use the reason, which is `data.reason` in the reply.
 */
export const REASONS = {
  // any call
  'sign-in-required': { code: 'UNAUTHORIZED', sentence: 'Your session has ended. Sign in again.' },
  'reauth-required': forbidden('You signed in more than 10 minutes ago. Sign in again, then retry.'),
  'two-factor-required': forbidden(
    'This requires two-factor authentication. Turn it on in your account, then come back.',
  ),
  'view-as-read-only': forbidden('You view this tenant read-only. End the view, and ask a member to make the change.'),
  'role-required': forbidden(({ role, permission }: { role: Role; permission: Permission }) =>
    whyNot(role, permission),
  ),
  unauthorized: {
    code: 'UNAUTHORIZED',
    sentence: 'The API key is missing, unknown, revoked or expired. Send it as “Authorization: Bearer tg_manage_…”.',
  },
  'scope-required': forbidden(
    ({ permission }: { permission: Permission }) =>
      `This API key needs the scope ${scopesOf(permission).join(' or ')}. Create a key that has it.`,
  ),
  'creator-role-required': forbidden(
    'The person who created this API key does not have this permission any more. Create the key as someone who has it.',
  ),
  'all-sites-required': forbidden(
    'This API key is for some sites only. This call concerns the whole tenant: use a key for all sites.',
  ),
  'repeated-differently': conflict(
    'This Idempotency-Key was used for another request in the last 24 hours. Use a new one for each request.',
  ),
  'key-expiry-invalid': invalid(
    'An API key expires after 1 to 366 days. Only an owner can create one that never does.',
  ),
  'key-not-found': missing('There is no such API key. Reload the list.'),
  'key-exceeds-role': forbidden(
    ({ scope }: { scope: string }) => `Your role has none of the permissions of the scope ${scope}. Leave it out.`,
  ),
  'too-many-keys': conflict(
    ({ most }: { most: number }) => `A tenant can have at most ${most} active API keys. Revoke one that is not used.`,
  ),
  'webhook-not-found': missing('There is no such webhook. Reload the list.'),
  'delivery-not-found': missing('There is no such delivery. Reload the list.'),
  'webhook-disabled': conflict('This webhook is disabled. Enable it first.'),
  'webhook-url-invalid': invalid(
    'Enter a URL that begins with https://, with at most 2000 characters and without user and password.',
  ),
  'webhook-url-unresolved': invalid(
    'The name servers know no address of this host. Check its spelling, or publish its DNS record first.',
  ),
  'webhook-url-refused': invalid(
    'The host of this URL has no public address. Use a server on the internet, or ask the operator to add its network to WEBHOOKS_ALLOW.',
  ),
  'too-many-webhooks': conflict(
    ({ most }: { most: number }) => `A tenant can have at most ${most} webhooks. Delete one that is not used.`,
  ),
  'staff-level-required': forbidden(
    ({ needed }: { needed: StaffLevel }) => `This needs the staff level ${needed}. Ask a colleague who has it.`,
  ),
  'calls-too-fast': tooMany(
    ({ wait }: { wait: number }) =>
      `Too many requests in a short time. Try again in ${wait === 1 ? '1 second' : `${wait} seconds`}.`,
  ),
  'input-invalid': invalid('A value is missing or not valid. Check what you entered, then try again.'),
  'page-outdated': missing('This page does not match the version of the service. Reload it, then try again.'),
  'deleted-meanwhile': missing('This was deleted in the meantime. Reload the page.'),
  'page-not-found': missing('This page does not exist.'),
  unavailable: unavailable(
    'The service is overloaded, or its database does not answer in time. Check whether your change was made, then try again.',
  ),
  'internal-error': {
    code: 'INTERNAL_SERVER_ERROR',
    sentence: 'The service failed. Its log has details under the request id.',
  },

  // signing in with the identity provider
  ...signIn,

  // tenants and members
  'tenant-not-found': missing(({ tenant }: { tenant: string }) => `There is no tenant "${tenant}".`),
  'slug-invalid': invalid(
    ({ slug }: { slug: string }) =>
      `"${slug}" is not a valid slug. Use at most 40 lower-case letters, digits and inner hyphens.`,
  ),
  'slug-taken': conflict(({ slug }: { slug: string }) => `The slug "${slug}" is taken. Choose another one.`),
  'name-invalid': invalid(
    ({ noun }: { noun: string }) => `The name of a ${noun} must have 1 to 120 characters, all of them visible.`,
  ),
  'email-invalid': invalid(({ email }: { email: string }) => `"${email}" is not a valid e-mail address.`),
  'password-common': invalid(
    'This password is one of the most common ones, which are guessed first. Choose a few random words instead.',
  ),
  'password-repeats': invalid('This password repeats the same few characters. Choose a few random words instead.'),
  'password-sequence': invalid(
    'This password follows the alphabet, the digits or the rows of a keyboard. Choose a few random words instead.',
  ),
  'password-names': invalid(
    'This password contains a part of your e-mail address or the name Tollgate. Choose a few random words instead.',
  ),
  'confirmation-wrong': invalid(({ word, verb }: { word: string; verb: string }) => `Type ${word} to ${verb} it.`),
  'too-many-tenants': conflict(
    ({ owned }: { owned: number }) => `You already own ${owned} tenants. Contact support if you need more.`,
  ),
  'own-factor-missing': conflict('Set up your own second factor first. Otherwise you would lock yourself out.'),
  'member-not-found': missing('There is no such member. Reload the list.'),
  'member-exists': conflict(({ email }: { email: string }) => `${email} is already a member.`),
  'already-member': conflict(({ name }: { name: string }) => `You are already a member of ${name}.`),
  'no-longer-member': missing('You are no longer a member.'),
  'already-owner': invalid('You are already an owner. Choose another member.'),
  'owner-required': forbidden('Only an owner can transfer the ownership. Ask an owner to do it.'),
  'last-owner': conflict('This is the last owner. Transfer the ownership to another member first.'),
  'role-change-forbidden': forbidden(
    ({ role, from, to }: { role: Role; from: Role; to: Role }) =>
      `As ${role} you cannot change the role ${from} to ${to}. Ask a member with a higher role.`,
  ),
  'removal-forbidden': forbidden(
    ({ role, other }: { role: Role; other: Role }) =>
      `As ${role} you cannot remove a member with the role ${other}. Ask a member with a higher role.`,
  ),
  'invitation-forbidden': forbidden(
    ({ role, other }: { role: Role; other: Role }) =>
      `As ${role} you cannot invite people as ${other}. Choose another role.`,
  ),
  'invitation-not-found': missing(
    'There is no such invitation for your e-mail address. Check that you are signed in with the right account.',
  ),
  'invitation-over': conflict('This invitation was used or revoked, or is older than 72 hours. Ask for a new one.'),
  'invitation-not-open': missing('This invitation was accepted or revoked in the meantime. Reload the list.'),
  'too-many-invitations': tooMany(
    ({ wait }: { wait: number }) => `Too many invitations were sent recently. Try again in ${wait} s.`,
  ),
  'units-requested': conflict('Staff are deciding about your request. You can send another one afterwards.'),
  'email-off': unavailable(
    'This deployment cannot send e-mail because SMTP_URL is not set. Ask its operator to set it, such as smtp://user:password@host:587.',
  ),
  'job-not-failed': missing('This job is running, or has ended or was deleted in the meantime. Reload the list.'),
  'session-ended': conflict('This session has ended. Sign in again.'),
  'session-not-found': missing('This session has already ended. Reload the list.'),
  'too-many-streams': tooMany(
    ({ most }: { most: number }) => `You have ${most} live lists or exports open. Close one of them first.`,
  ),

  // sites
  'site-not-found': missing(({ site }: { site?: string }) =>
    site === undefined ? 'There is no such site. It may have been deleted.' : `There is no site "${site}".`,
  ),
  'too-many-sites': conflict(
    ({ most }: { most: number }) =>
      `The quota of this tenant allows ${most} sites. Delete one that is not used, or request more units.`,
  ),
  'hostname-invalid': invalid(
    ({ hostname }: { hostname: string }) =>
      `"${hostname}" is not a valid hostname. Use lower case without scheme, port or wildcard, and Punycode for international names.`,
  ),
  'hostname-unusable': invalid(({ hostname, sent }: { hostname: string; sent?: string | undefined }) =>
    sent === undefined
      ? `No browser can open a page at "${hostname}". Check the spelling.`
      : `Browsers send "${sent}" for "${hostname}". Use "${sent}".`,
  ),
  'hostname-not-found': missing(
    ({ hostname }: { hostname: string }) => `"${hostname}" is not one of the site’s hostnames.`,
  ),
  'too-many-hostnames': conflict(
    ({ most }: { most: number }) => `A site can have at most ${most} hostnames. Remove one first.`,
  ),
  'network-invalid': invalid(
    ({ network }: { network: string }) =>
      `"${network}" is not an address or a range such as 203.0.113.0/24 or 2001:db8::/32.`,
  ),
  'network-too-wide': invalid(
    ({ network, widest }: { network: string; widest: number }) =>
      `${network} is wider than /${widest}, which no list may have: a slip could refuse a large part of the internet. List smaller networks.`,
  ),
  'network-listed': conflict(
    ({ network }: { network: string }) => `${network} is already on the list. Change it there.`,
  ),
  'network-not-listed': missing(
    ({ network }: { network: string }) => `${network} is not on the list. It may have been removed.`,
  ),
  'network-note-invalid': invalid(
    ({ most }: { most: number }) => `A note has at most ${most} characters, all of them visible.`,
  ),
  'too-many-networks': conflict(
    ({ most }: { most: number }) => `This list can have at most ${most} networks. Remove one, or list a larger range.`,
  ),
  'address-invalid': invalid(({ address }: { address: string }) => `"${address}" is not an IPv4 or IPv6 address.`),
  'secret-not-found': missing('This secret is no longer active. Reload the page.'),
  'too-many-secrets': conflict(
    ({ live }: { live: number }) =>
      `${live} secrets are already active. Revoke one first, or wait until its overlap ends.`,
  ),
  'test-key': invalid('Test keys have published secrets and cannot be rotated. Set TEST_KEYS=off to disable them.'),
  'grant-not-found': missing('There is no such grant. Reload the list.'),
  'grant-ended': conflict('This grant has already ended.'),
  'session-without-grants': missing('This session has no active grants.'),
  'revocation-not-found': missing('There is no such revocation to undo.'),
  'restore-too-late': conflict('None of these grants can be restored: it is too late, or they have expired.'),

  // decisions, feedback and records
  'decision-not-found': missing('There is no such decision. Check its id.'),
  'event-not-found': missing('There is no such event.'),
  'incident-not-found': missing('There is no such incident.'),
  'statement-not-found': missing('There is no statement for that month.'),
  'site-deleted': conflict(
    'The site of this decision was deleted, so it accepts no more feedback and issues no grant.',
  ),
  'site-off': conflict('The site is paused or the tenant is suspended: it takes no feedback and issues no grants now.'),
  'feedback-time-invalid': invalid('The time must be between the redemption and now.'),
  'feedback-over': conflict('This decision takes no more feedback: 7 days have passed, or it has 20 revisions.'),
  'feedback-repeated': conflict('This report was sent before with other values. Close the form and open it again.'),
  'grants-off': conflict(
    'Grants are off for this site or in this deployment. Turn them on in the site’s policy, or ask the operator to set GRANTS=on.',
  ),
  'grant-too-late': conflict('A decision can issue a grant for 10 minutes after its redemption, and these are over.'),
  'grant-not-solved': conflict(
    'The challenge of this decision was skipped, and its session can’t renew a grant now. Its visitor has to solve a challenge first.',
  ),
  'grant-issued-before': conflict(
    'This decision has already issued a grant, with another lifetime or number of uses. Use that one.',
  ),
  'feedback-outdated': conflict(
    'Someone reported on this decision in the meantime. Its latest feedback is shown now: check whether yours is still needed, then send it again.',
  ),

  // staff
  'person-not-found': missing(({ email }: { email: string }) => `There is nothing about ${email}.`),
  'person-is-staff': conflict('This person is a member of staff, who can only be erased on the command line.'),
  'trace-not-found': missing('Nothing was found for this id.'),
  'reason-invalid': invalid('Give a reason of 3 to 500 characters. The tenant sees it in its audit.'),
  'note-invalid': invalid('A note must have 1 to 4000 characters.'),
  'units-need-lead': forbidden(
    ({ most }: { most: number }) =>
      `Support may set, add or remove at most ${most.toLocaleString('en')} units at once, and give at most as many to all tenants in 24 hours. Ask a lead to make this change.`,
  ),
  'undo-needs-second-lead': forbidden(
    ({ units }: { units: number }) =>
      `Undoing this gives ${units.toLocaleString('en')} units. With what you gave in the last 24 hours, that is more than one lead may give. Make it as a new change, which waits for another lead.`,
  ),
  'request-not-found': missing('There is no such request. Reload the list.'),
  'request-own': forbidden('You asked for this change yourself. Another lead has to approve it.'),
  'request-decided': conflict('This request has already been decided. Reload the list.'),
  'request-needs-lead': conflict('Its approval waits for another lead, who has to decide first.'),
  'units-zero': invalid('The number of units must not be zero.'),
  'balance-too-low': conflict(
    ({ units, removed }: { units: bigint; removed: number }) =>
      `The balance is ${units === 1n ? '1 unit' : `${units.toLocaleString('en')} units`}, so ${removed.toLocaleString('en')} cannot be removed.`,
  ),
  'entry-not-found': missing('There is no such entry to undo.'),
  'entry-undone': conflict('This entry has already been undone.'),
  'quota-change-not-found': missing('There is no such quota change to undo.'),
  'quota-changed': conflict('The quota has been changed since then. Set the value that you want instead.'),
  'already-suspended': conflict(({ name }: { name: string }) => `${name} is already suspended.`),
  'not-suspended': conflict(({ name }: { name: string }) => `${name} is not suspended.`),
  'not-viewing': missing(({ name }: { name: string }) => `You are not viewing as ${name}.`),
  'view-as-member': conflict(({ name }: { name: string }) => `You are a member of ${name}. Switch to it instead.`),
  'reconciled-recently': tooMany(({ wait }: { wait: number }) => `It ran a moment ago. Try again in ${wait} s.`),
} as const satisfies Record<string, { code: string; sentence: Wording }>

export type Reason = keyof typeof REASONS

/** The values that the sentence of a reason needs. */
export type Values<R extends Reason> = (typeof REASONS)[R]['sentence'] extends (values: infer V) => Sentence
  ? V
  : object

export const isReason = (code: string): code is Reason => Object.hasOwn(REASONS, code)

/** The sentence of a reason. */
export function sentenceOf<R extends Reason>(reason: R, values: Values<R>): string {
  const { sentence } = REASONS[reason] as { sentence: string | ((values: Values<R>) => string) }
  return typeof sentence === 'string' ? sentence : sentence(values)
}
