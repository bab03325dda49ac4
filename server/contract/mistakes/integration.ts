import { ERRORS, type ErrorCode } from './errors.ts'
import { FIELDS, type Field } from './fields.ts'

/** What is known of a mistake, for its sentences (server/accounts/sites/doctor). */
type Values = {
  last4?: string
  currentLast4?: string
  hostname?: string
  allowed?: string
  by?: string | null
  from?: string | null
}

type Text = string | ((values: Values) => string)
type Own = { title: Text; cause: Text; remedy: Text }
/** `of`: the error or field by which it shows, which is its documentation, and its cause and remedy if it has none of its own. */
type IntegrationMistake =
  | (Own & { docs: string })
  | (Own & { of: ErrorCode | Field })
  | { title: Text; of: ErrorCode | Field; cause?: never }

const caller = ({ by, from }: Values) => `${by ?? 'A server'}${from == null ? '' : `, in the network ${from},`}`

/** The mistakes that the calls of a site show over some days, beyond the single refusals. */
export const INTEGRATION = {
  'ended-secret': {
    of: 'unauthorized',
    title: ({ last4 }) => `A server still uses the ended secret …${last4}`,
    cause: (values) => `${caller(values)} sent it, and was refused with 401.`,
    remedy: ({ currentLast4 }) =>
      currentLast4
        ? `Give that server the current secret, …${currentLast4}, and restart it. If you no longer have it, create another one under Keys.`
        : 'Add a secret under Keys, and give it to that server.',
  },
  'two-secrets': {
    docs: 'going-live',
    title: ({ last4 }) => `Not safe to revoke yet: the older secret …${last4}`,
    cause: (values) => `${caller(values)} used it in the last 24 hours.`,
    remedy: ({ currentLast4 }) =>
      `Give that server the current secret, …${currentLast4}. Revoke the older one when it has not been used for a day.`,
  },
  'test-key': {
    docs: 'testing',
    title: 'A test key is used on one of your hosts',
    cause: 'Secrets of test keys are public, so they protect nothing.',
    remedy: 'Use the site’s own site key and secret in production, from the environment.',
  },
  'never-redeemed': {
    docs: 'backend',
    title: 'Your backend never calls /siteverify',
    cause: 'Intents are opened, but no token is redeemed. Until you redeem tokens, your form is not protected.',
    remedy: 'Redeem the token when the form is submitted, before you act on it.',
  },
  'key-per-retry': {
    of: 'already-redeemed',
    title: 'Retries use a new idempotency key',
    cause:
      'A token was sent again within a minute with another idempotency key. The retry gets 409 already-redeemed, although the visitor passed.',
    remedy: 'Generate the key once per submission, store it before the first call, and send it with every retry.',
  },
  'shared-intent': {
    of: 'intent-expired',
    title: 'Pages with intents may be cached',
    cause:
      'Several visits asked for a challenge of the same expired intent: they got the same copy of the page, or one visitor reloaded an old one.',
    remedy: 'Open one intent per page view, and forbid caches to store the page.',
  },
  'expired-form': {
    of: 'intent-expired',
    title: 'Forms are submitted after their intent expired',
    cause: 'An intent expires after 300 seconds. Visitors take longer to fill in this form.',
    remedy: 'Set data-renew to a path of yours that opens a new intent.',
  },
  'www-host': {
    of: 'hostname',
    title: ({ hostname, allowed }) => `${hostname} is used, and ${allowed} is allowed`,
    cause: 'Hostnames are compared exactly: with and without www they are two hosts.',
    remedy: ({ hostname, allowed }) =>
      `If pages with the form are at ${hostname}, allow it under Hostnames and open their intents with it; or redirect visitors to ${allowed}.`,
  },
  'loopback-host': {
    of: 'hostname',
    title: ({ hostname }) => `${hostname} is used for development`,
    cause: ({ allowed }) =>
      allowed === undefined
        ? 'It is not one of the site’s hostnames.'
        : `The site allows ${allowed}, which is another hostname.`,
    remedy: ({ hostname, allowed }) =>
      allowed === undefined
        ? `Allow ${hostname} under Hostnames of a site for development.`
        : `Open the page at ${allowed}, or allow ${hostname} too.`,
  },
  'malformed-host': {
    of: 'hostname',
    title: 'The hostname is not a bare hostname',
    cause: 'Your backend sent it with a scheme, a port or upper-case letters, or did not send it.',
    remedy: 'Send the hostname from your configuration, in lower case. Do not use the Host header, which has the port.',
  },
  'missing-origin': {
    of: 'origin-not-allowed',
    title: 'Requests of the component arrive without an Origin',
    cause:
      'Without the address of the page they are refused. A proxy in front of the service removes the header, or the page is in a sandboxed frame, opened as a file or shown by an app. Programs that are not browsers look the same.',
    remedy: 'Let every proxy pass Origin on, and give a sandboxed frame with the form allow-same-origin.',
  },
  'unlisted-host': {
    of: 'hostname',
    title: ({ hostname }) => `${hostname} is not allowed`,
    cause: 'Your backend opens intents for it, and they are refused.',
    remedy:
      'Allow it under Hostnames if it is yours. If it is not, send the hostname of the page, which is on the list.',
  },
  'plain-session': { of: 'session', title: 'The session or subject is not hashed' },
  'reused-nonce': { of: 'nonce-conflict', title: 'The same nonce is used for different forms' },
  'no-token': { of: 'response', title: 'Forms arrive without a token' },
  'mixed-sites': {
    of: 'intent_id',
    title: 'Keys of two sites are mixed',
    cause: 'The intent or the decision does not belong to the site of the secret.',
    remedy: 'Use the secret and the site key of the same site for all calls.',
  },
  'binding-differs': { of: 'binding-mismatch', title: 'Action or hostname differ between the two calls' },
  'secret-in-body': { of: 'secret-in-body', title: 'The secret is sent in the body' },
  milliseconds: { of: 'occurred_at', title: 'occurred_at is not in seconds, or is in the future' },
} as const satisfies Record<string, IntegrationMistake>

export type IntegrationCode = keyof typeof INTEGRATION
export const INTEGRATION_CODES = Object.keys(INTEGRATION) as IntegrationCode[]

const CATALOGUE = { ...FIELDS, ...ERRORS }

/** What a mistake is, how to fix it, and a path of the service's own documentation. */
export function explainIntegration(code: IntegrationCode, values: Values) {
  const entry: IntegrationMistake = INTEGRATION[code]
  const { cause, remedy } = entry.cause === undefined ? CATALOGUE[entry.of] : entry
  const say = (text: Text) => (typeof text === 'string' ? text : text(values))
  return {
    title: say(entry.title),
    why: say(cause),
    fix: say(remedy),
    docs: 'of' in entry ? `errors#${entry.of}` : entry.docs,
  }
}
