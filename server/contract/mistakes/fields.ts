import type { Mistake } from './mistake.ts'

/** The likely cause and the remedy for each refused field. `*`: a name that the endpoint does not know. */
export const FIELDS = {
  hostname: {
    cause: 'The hostname is not one of the site’s hostnames, or is not a bare hostname.',
    remedy:
      'Add it under Hostnames in the console, or send the page’s hostname in lower case, without scheme, port or trailing dot.',
  },
  nonce: {
    cause: 'The nonce is missing, or is not 16 to 128 letters, digits, - and _.',
    remedy: 'Generate a new one for each form: 24 random bytes as base64url.',
  },
  action: {
    cause: 'The action is missing, or is not 1 to 64 letters, digits, - and _.',
    remedy: 'Send a name for the form, such as checkout, the same in /intents and /siteverify.',
  },
  session: {
    cause: 'The session is not 64 lower-case hex digits.',
    remedy: 'Send the HMAC-SHA-256 of your session id in hex.',
  },
  subject: {
    cause: 'The subject is not 64 lower-case hex digits.',
    remedy: 'Send the HMAC-SHA-256 of the account id or e-mail address in hex.',
  },
  trusted_grant_id: {
    cause: 'The grant id is not a UUID. (An unknown or expired grant gets `grant-invalid`.)',
    remedy: 'Send grant_id as /grants returned it, or omit the field.',
  },
  response: {
    cause: 'The form was sent without a token.',
    remedy:
      'Refuse the form and show it again. If this happens to all visitors, check that the component is inside the form.',
  },
  intent_id: {
    cause: 'The intent is missing, malformed, or belongs to another site.',
    remedy: 'Store the intent_id with the form, and use the secret of the same site for both calls.',
    page: '{intent} is not an intent of the site {sitekey}. Set data-intent to the intent_id that POST /intents returned for this site.',
  },
  idempotency_key: {
    cause: 'The key is missing, or is not 16 to 128 letters, digits, - and _.',
    remedy: 'Store one per attempt, and send it again with each retry.',
  },
  decision_id: {
    cause: 'The decision belongs to another site, or the stored id is incomplete.',
    remedy: 'Store decision_id as /siteverify returned it, and use the secret of the same site.',
  },
  event_id: {
    cause: 'The event id is missing or is not a UUID.',
    remedy: 'Store a UUID for each event before you send it, and use it again for retries.',
  },
  outcome: {
    cause: 'The outcome is not confirmed_abuse, legitimate or unknown.',
    remedy: 'Send one of these three values.',
  },
  business_type: {
    cause: 'The type is missing, or is not 1 to 64 letters, digits, - and _.',
    remedy: 'Send the source of the information, such as chargeback.',
  },
  occurred_at: {
    cause: 'The time is before the redemption or in the future, or is not in whole Unix seconds.',
    remedy: 'Send the time you learned of it, in seconds and not milliseconds.',
  },
  supersedes_event_id: {
    cause: 'The id of the event to correct is not a UUID.',
    remedy: 'Send the event_id of the decision’s latest event, or omit the field.',
  },
  ttl: { cause: 'The lifetime is not a whole number from 60 to 3600.', remedy: 'Send seconds, or omit the field.' },
  uses: {
    cause: 'The number of uses is not a whole number from 1 to 10.',
    remedy: 'Send such a number, or omit the field.',
  },
  grant_id: {
    cause:
      'The grant belongs to another site, its id is not a UUID, or grant_id and session are both present or missing.',
    remedy: 'Send either grant_id or session, with the secret of the same site.',
  },
  sitekey: {
    cause: 'The site key does not exist.',
    remedy: 'Copy data-sitekey again from the site’s page in the console.',
    page: '{endpoint} has no site with the key {sitekey}. Copy the site key from the console into data-sitekey.',
  },
  kinds: {
    cause: 'The list is empty, is not a list of names, or has none that the site issues.',
    remedy: 'Load the current component from this service; a copy of your own may be damaged.',
  },
  challenge: {
    cause: 'The challenge belongs to another intent, or was altered in transit.',
    remedy: 'Let the component solve it.',
  },
  solution: {
    cause: 'The solution is not base64url without padding, or is too long.',
    remedy: 'Let the component solve the challenge.',
  },
  '*': {
    cause: 'The body contains a field that the endpoint does not know.',
    remedy: 'Send only the fields in the API reference.',
  },
} as const satisfies Record<string, Mistake>

export type Field = keyof typeof FIELDS

export const isField = (field: string | null): field is Field => field !== null && Object.hasOwn(FIELDS, field)
