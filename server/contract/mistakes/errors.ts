import type { Mistake } from './mistake.ts'

/**
 * Every error of the public API: its code and HTTP status, what it means and what the caller can do. The API answers from this
 * catalogue; docs/errors.md, the explanations of the console and the texts of the component are made from it. `likely` and
 * `fix`: what it usually is and what to do, for a merchant's refused calls, which may be a visitor's. `details`: the same by the error's detail.
 */
export const ERRORS = {
  'bad-request': {
    status: 400,
    cause: 'The body is not one JSON document in UTF-8, or is nested more than 8 levels deep.',
    remedy: 'Send one JSON object. Do not retry unchanged.',
    page: 'The service at {endpoint} could not read the request. A script of the page or a proxy changes it, or widget.js is older than the service.',
  },
  'bad-field': {
    status: 422,
    cause: 'A field is missing, unknown, or of the wrong type or format, or its value belongs to another site.',
    remedy: 'Correct the field named in `field`. Do not retry unchanged.',
  },
  'secret-in-body': {
    status: 422,
    cause: 'The body contains a secret key, or a field named like one.',
    remedy: 'Rotate the secret, because it may have been logged on the way. Send it only in the Authorization header.',
  },
  unauthorized: {
    status: 401,
    cause: 'The Authorization header is missing, duplicated or malformed, or the secret is unknown or revoked.',
    remedy:
      'Send an active secret of the site in the Authorization header, after “Bearer”. The header Tollgate-Authorization of the reply says what arrived: missing (a proxy may have removed it), malformed (the header is not one “Bearer …”) or unknown (no active secret; one that was cut is unknown too).',
    likely: 'A server uses a secret that was revoked, or that was rotated and whose overlap has ended.',
  },
  'quota-exceeded': {
    status: 402,
    cause: 'The tenant has neither monthly quota nor balance left.',
    remedy: 'Raise the quota or add balance, then retry with the same parameters.',
  },
  'origin-not-allowed': {
    status: 403,
    cause: 'The Origin is missing or `null`, is not the intent’s hostname, or its hostname is no longer allowed.',
    remedy:
      'Open the intent with the page’s hostname, and allow that hostname for the site. Let proxies forward Origin.',
    page: {
      ' (?!https?:)\\S+$':
        "This page's origin is {origin}, of an application or an extension, and none of these can be allowed. Load the form from an https address of your own, in the web view or a frame. Add the host of that address to the site's hostnames in the console, and send it as hostname to POST /intents.",
      '': "This page's host is {hostname}, and the intent is not for this host or the host is not allowed. Add {hostname} to the site's hostnames in the console, and send it as hostname to POST /intents.",
    },
    likely:
      'The page’s hostname is not the intent’s: a mirror, a translation service, a preview, or a www prefix. If no hostname is named, a proxy removed Origin, or the page is a file or in a sandboxed frame.',
  },
  'site-disabled': {
    status: 403,
    cause: 'The site is paused or its tenant is suspended.',
    remedy: 'Resume the site, or contact support. Open intents and tokens then work again.',
    page: 'The site {sitekey} is paused or its account is suspended. The console shows which.',
  },
  'grants-disabled': {
    status: 403,
    cause: 'Grants are off in this deployment or for this site.',
    remedy: 'Set GRANTS=on, switch grants on in the site’s policy, or open the intent without a grant.',
  },
  'not-found': {
    status: 404,
    cause: 'No such path.',
    remedy: 'Check the path. It has no trailing slash and no encoded characters.',
    page: 'There is no Tollgate API below {endpoint}. Check the path in data-endpoint.',
  },
  'method-not-allowed': { status: 405, cause: 'The path only accepts POST.', remedy: 'Use POST.' },
  'nonce-conflict': {
    status: 409,
    cause: 'This nonce was already used for an intent with other fields.',
    remedy: 'Use a new nonce for each form. Repeat it only with the same fields.',
  },
  'intent-expired': {
    status: 409,
    cause:
      'The intent or its token has expired, or its grant was revoked. At `/challenge` also: the intent was redeemed.',
    remedy: 'Open an intent with a new nonce and show the form again. Do not cache pages with an intent.',
    likely: 'The form was open for more than five minutes, or its page came from a cache.',
  },
  'grant-invalid': {
    status: 409,
    cause:
      'The grant is unknown, expired, revoked, used up, or of another site or session; or this decision cannot issue one.',
    remedy: 'Open the intent without a grant. A decision can issue a grant for 10 minutes, for its own session.',
  },
  'response-invalid': {
    status: 409,
    cause: 'The token is forged, altered, or of another intent or site; or the intent is unknown.',
    remedy:
      'Treat the visitor as not verified and show a new form. If every visitor gets this, send the unchanged field with the intent_id of the same form, and use the secret of the same site for both calls.',
  },
  'binding-mismatch': {
    status: 409,
    cause: 'The action or hostname differs from the intent’s.',
    remedy:
      'Send the action and hostname that you stored with the intent. If you already do, someone is trying to use tokens elsewhere.',
  },
  'already-redeemed': {
    status: 409,
    cause: 'The intent was redeemed with another idempotency key, or more than 10 minutes ago.',
    remedy:
      'If your backend accepted this form, show the result again. If not, show a new form. Store one idempotency key per attempt, and use it for all retries.',
    likely: 'The visitor submitted the form twice, or a retry used a new idempotency key.',
  },
  'idempotency-conflict': {
    status: 409,
    cause: 'The intent was redeemed with this key and other parameters.',
    remedy:
      'Repeat exactly the parameters that you stored at the first submission. If you did, two visitors got the same form from a cache: send the page with `Cache-Control: no-store`.',
  },
  'challenge-expired': {
    status: 409,
    cause: 'The challenge has expired, or a wrong solution for the same intent has ended it.',
    remedy: 'Request a new challenge. The component does this automatically.',
    page: 'The device did not solve the challenge in time. Lower the difficulty of the site in the console.',
  },
  'feedback-closed': {
    status: 409,
    cause: 'More than 7 days have passed since the redemption, or the decision has 20 revisions already.',
    remedy: 'Report within 7 days.',
  },
  'event-conflict': {
    status: 409,
    cause: 'This event_id was used with other fields.',
    remedy: 'Use a new event_id. To correct an event, send its id in supersedes_event_id.',
  },
  'supersede-required': {
    status: 409,
    cause: 'The decision already has feedback, and supersedes_event_id is missing.',
    remedy:
      'If the report is still needed, send a new event whose supersedes_event_id is the id in `Tollgate-Latest-Event` of the reply.',
  },
  'supersede-stale': {
    status: 409,
    cause: 'supersedes_event_id is not the most recent event of this decision.',
    remedy:
      'If the report is still needed, send a new event whose supersedes_event_id is the id in `Tollgate-Latest-Event` of the reply. Without this header, omit it.',
  },
  'grant-exists': {
    status: 409,
    cause: 'This decision already issued a grant with other fields.',
    remedy: 'Use the grant that you stored.',
  },
  'payload-too-large': {
    status: 413,
    cause: 'The body is larger than 16 KiB.',
    remedy: 'Send only the documented fields.',
  },
  'unsupported-media-type': {
    status: 415,
    cause: 'The Content-Type is not application/json (charset absent or utf-8), or the body is compressed.',
    remedy: 'Send `Content-Type: application/json`, uncompressed.',
  },
  'solution-invalid': {
    status: 422,
    cause: 'The proof of work is wrong.',
    remedy: 'Request a new challenge, as the component does. If many intents get this, raise the difficulty.',
    page: 'The service did not accept the solution. The test key TESTfail always gets this answer.',
    likely: 'Someone is submitting guesses, probably a bot. The component never does.',
    fix: 'Nothing to do: the guesses were refused. If there are many, raise the difficulty in the site’s settings.',
  },
  'rate-limited': {
    status: 429,
    cause:
      'A limit was reached. At `/challenge`, `Retry-After` up to 60 is the visitor’s place in line, and 3600 means that the site or a list refuses the visitor.',
    remedy:
      'Wait for Retry-After, then repeat the same request. If this is your normal traffic, raise the limits in the site’s settings.',
    page: "There were too many requests from the visitor's network to this site in one minute.",
    likely: 'There were more requests than the site’s limits allow: a burst, a loop or an attack.',
    details: {
      'site-list': {
        cause: 'The visitor’s network is on this site’s list of networks, as denied. It got no challenge.',
        remedy: 'If these are visitors of yours, change or remove the network under Networks of the site.',
      },
      'deployment-list': {
        cause: 'The visitor’s network is on the list of the operator of this service, as denied. It got no challenge.',
        remedy:
          'If these are visitors of yours, allow their network under Networks of the site, with a prefix at least as long, or ask the operator.',
      },
      'line-full': {
        cause:
          'The wait for a challenge would have been longer than a minute: more than 300 visitors a minute from one address, or a program that requests challenges and does not solve them.',
        remedy:
          'If many visitors of yours share the address, such as a school or an office, allow it under Networks of the site.',
      },
      automation: {
        cause:
          'The client names an automation tool, or its browser says that a program drives it. The site refuses those.',
        remedy:
          'No action needed. To give such clients a harder challenge instead, turn off “Refuse declared automation” in the site’s settings.',
      },
    },
  },
  'internal-error': {
    status: 500,
    cause: 'A fault of the service, logged with the request id.',
    remedy:
      'Repeat it later with the same values, such as when the visitor tries again. If the error persists, report the X-Request-Id.',
    page: 'The service failed. Look up the request ID in its log.',
  },
  unavailable: {
    status: 503,
    cause: 'The service is overloaded or shutting down, or its database did not answer in time.',
    remedy: 'Retry after Retry-After seconds with the same parameters. You are never charged twice.',
    page: 'The service is temporarily unavailable. It is safe to retry.',
  },
} as const satisfies Record<
  string,
  Mistake & { status: number; likely?: string; fix?: string; details?: Record<string, Mistake> }
>

export type ErrorCode = keyof typeof ERRORS

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

/** The detail of a stored `secret-in-body` whose caller sent no secret in the header, so that it can be anyone. */
export const UNAUTHENTICATED = 'unauthenticated'
