import type { Finding, Mistake } from './mistakes.ts'

/** What a mistake is, and how to fix it. */
export type Advice = {
  title: string
  why: string
  fix: string
  /** A path of the service's own documentation. */
  docs: string
}

const caller = ({ by, from }: Finding) => `${by ?? 'A server'}${from == null ? '' : `, in the network ${from},`}`

const ADVICE: Record<Mistake, (finding: Finding) => Advice> = {
  'ended-secret': (f) => ({
    title: `A server still uses the ended secret …${f.last4}`,
    why: `${caller(f)} sent it, and was refused with 401.`,
    fix: f.currentLast4
      ? `Give that server the current secret, …${f.currentLast4}, and restart it.`
      : 'Add a secret under Keys, and give it to that server.',
    docs: 'errors#unauthorized',
  }),
  'two-secrets': (f) => ({
    title: `Not safe to revoke yet: the older secret …${f.last4}`,
    why: `${caller(f)} used it in the last 24 hours.`,
    fix: `Give that server the current secret, …${f.currentLast4}. Revoke the older one when it has not been used for a day.`,
    docs: 'going-live',
  }),
  'test-key': () => ({
    title: 'A test key is used on one of your hosts',
    why: 'Secrets of test keys are public, so they protect nothing.',
    fix: 'Use the site’s own site key and secret in production, from the environment.',
    docs: 'testing',
  }),
  'never-redeemed': () => ({
    title: 'Your backend never calls /siteverify',
    why: 'Intents are opened, but no token is redeemed. Until you redeem tokens, your form is not protected.',
    fix: 'Redeem the token when the form is submitted, before you act on it.',
    docs: 'backend',
  }),
  'key-per-retry': () => ({
    title: 'Retries use a new idempotency key',
    why: 'A token was sent again within a minute with another idempotency key. The retry gets 409 already-redeemed, although the visitor passed.',
    fix: 'Generate the key once per submission, store it before the first call, and send it with every retry.',
    docs: 'errors#already-redeemed',
  }),
  'shared-intent': () => ({
    title: 'Pages with intents may be cached',
    why: 'Several visits asked for a challenge of the same expired intent: they got the same copy of the page, or one visitor reloaded an old one.',
    fix: 'Open one intent per page view, and forbid caches to store the page.',
    docs: 'errors#intent-expired',
  }),
  'expired-form': () => ({
    title: 'Forms are submitted after their intent expired',
    why: 'An intent expires after 300 seconds. Visitors take longer to fill in this form.',
    fix: 'Set data-renew to a path of yours that opens a new intent.',
    docs: 'errors#intent-expired',
  }),
  'www-host': (f) => ({
    title: `${f.hostname} is used, and ${f.allowed} is allowed`,
    why: 'Hostnames are compared exactly: with and without www they are two hosts.',
    fix: `If pages with the form are at ${f.hostname}, allow it under Hostnames and open their intents with it; or redirect visitors to ${f.allowed}.`,
    docs: 'errors#hostname',
  }),
  'loopback-host': (f) => ({
    title: `${f.hostname} is used for development`,
    why:
      f.allowed === undefined
        ? 'It is not on the site’s list.'
        : `The site allows ${f.allowed}, which is another hostname.`,
    fix:
      f.allowed === undefined
        ? `Allow ${f.hostname} under Hostnames of a site for development.`
        : `Open the page at ${f.allowed}, or allow ${f.hostname} too.`,
    docs: 'errors#hostname',
  }),
  'malformed-host': () => ({
    title: 'The hostname is not a bare hostname',
    why: 'Your backend sent it with a scheme, a port or upper-case letters, or did not send it.',
    fix: 'Send the hostname from your configuration, in lower case. Do not use the Host header, which has the port.',
    docs: 'errors#hostname',
  }),
  'missing-origin': () => ({
    title: 'Requests of the component arrive without an Origin',
    why: 'Without the address of the page they are refused. A proxy in front of the service removes the header, or the page is in a sandboxed frame, opened as a file or shown by an app. Programs that are not browsers look the same.',
    fix: 'Let every proxy pass Origin on, and give a sandboxed frame with the form allow-same-origin.',
    docs: 'errors#origin-not-allowed',
  }),
  'unlisted-host': (f) => ({
    title: `${f.hostname} is not allowed`,
    why: 'Your backend opens intents for it, and they are refused.',
    fix: 'Allow it under Hostnames if it is yours. If it is not, send the hostname of the page, which is on the list.',
    docs: 'errors#hostname',
  }),
  'plain-session': () => ({
    title: 'The session or subject is not hashed',
    why: 'Only an HMAC-SHA-256 in hex is accepted, so that the service learns no session id and no address.',
    fix: 'Hash it with a key of your own before you send it.',
    docs: 'errors#session',
  }),
  'reused-nonce': () => ({
    title: 'The same nonce is used for different forms',
    why: 'A nonce names one intent. With other fields it gets 409 nonce-conflict.',
    fix: 'Generate a nonce for each form that you render.',
    docs: 'errors#nonce-conflict',
  }),
  'no-token': () => ({
    title: 'Forms arrive without a token',
    why: 'The component is not inside the form, its script did not load, or the form is sent by a script that leaves the field out.',
    fix: 'Put the component inside the form element, and send its field svc-captcha-response.',
    docs: 'errors#response',
  }),
  'mixed-sites': () => ({
    title: 'Keys of two sites are mixed',
    why: 'The intent or the decision does not belong to the site of the secret.',
    fix: 'Use the secret and the site key of the same site for all calls.',
    docs: 'errors#intent_id',
  }),
  'binding-differs': () => ({
    title: 'Action or hostname differ between the two calls',
    why: '/siteverify was sent other values than /intents.',
    fix: 'Store both values with the intent, and send the stored ones.',
    docs: 'errors#binding-mismatch',
  }),
  'secret-in-body': () => ({
    title: 'The secret is sent in the body',
    why: 'Bodies are logged in more places than headers. Other captcha services expect it there; this one refuses it.',
    fix: 'Send the secret in the Authorization header, and rotate it, because it may be in a log.',
    docs: 'errors#secret-in-body',
  }),
  milliseconds: () => ({
    title: 'occurred_at is not in seconds, or is in the future',
    why: 'The time has to be in whole Unix seconds, between the redemption and now, by the service’s clock.',
    fix: 'Divide milliseconds by 1000 and round down.',
    docs: 'errors#occurred_at',
  }),
}

/** What the finding is, and how to fix it. */
export const adviceOn = (finding: Finding): Advice => ADVICE[finding.mistake](finding)
