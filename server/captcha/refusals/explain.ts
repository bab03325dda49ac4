import { CATALOGUE, type RefusalCode } from '../../kit/refusal.ts'

/** Why a request was probably refused, what mends it, and where that is written. */
export type Explanation = {
  /** As on the wire: `bad-request` for a field as well. */
  status: number
  error: string
  cause: string
  fix: string
  /** A path of the service's own documentation. */
  docs: string
}

type Likely = { cause: string; fix: string }

/** What lies behind a field that was refused, beyond its grammar. `*`: any name that the endpoint does not know. */
export const FIELDS: Record<string, Likely> = {
  hostname: {
    cause: 'The hostname is not on the site’s list, or it is not written as a bare hostname.',
    fix: 'Allow it under Hostnames, or send the page’s hostname in lower case, without scheme, port or trailing dot.',
  },
  nonce: {
    cause:
      'The nonce is missing, shorter than 16 or longer than 128 characters, or has others than letters, digits, - and _.',
    fix: 'Make a fresh one for each form: 24 random bytes as base64url.',
  },
  action: {
    cause: 'The action is missing or has other characters than letters, digits, - and _, or more than 64.',
    fix: 'Name the form, such as checkout; use the same name in /intents and /siteverify.',
  },
  session: {
    cause: 'The session is not 64 lower-case hex digits.',
    fix: 'Send an HMAC-SHA-256 of your session’s id in hex, never the id itself.',
  },
  subject: {
    cause: 'The subject is not 64 lower-case hex digits.',
    fix: 'Send an HMAC-SHA-256 of the account’s id or e-mail in hex, never the value itself.',
  },
  trusted_grant_id: {
    cause: 'The grant’s id is not a UUID. An unknown or expired grant is `grant-invalid` instead.',
    fix: 'Send grant_id as /grants returned it, or leave the field out.',
  },
  response: {
    cause: 'The form arrived without a token: it was sent before the check was done, or without our component.',
    fix: 'Refuse that form and show it again. If it happens to everybody, check that the component is inside the form.',
  },
  intent_id: {
    cause: 'The intent is missing, malformed or another site’s.',
    fix: 'Store the intent_id with the form that you render, and use the secret of the same site for both calls.',
  },
  idempotency_key: {
    cause: 'The key is missing or not 16–128 letters, digits, - and _.',
    fix: 'Make one per form submission, and repeat it with each retry of that submission.',
  },
  decision_id: {
    cause: 'The decision is not this site’s, or not the whole id was stored.',
    fix: 'Store decision_id as /siteverify gave it, and use the secret of the same site.',
  },
  event_id: {
    cause: 'The event’s id is missing or not a UUID.',
    fix: 'Generate a UUID for each event and store it before you send; a retry repeats it.',
  },
  outcome: {
    cause: 'The outcome is not confirmed_abuse, legitimate or unknown.',
    fix: 'Send one of the three.',
  },
  business_type: {
    cause: 'The type is missing or has other characters than letters, digits, - and _, or more than 64.',
    fix: 'Name what you learned it from, such as chargeback.',
  },
  occurred_at: {
    cause: 'The moment lies before the redemption or after now, or is not in whole Unix seconds.',
    fix: 'Send seconds, not milliseconds, of when you learned of it.',
  },
  supersedes_event_id: {
    cause: 'The id of the event to correct is not a UUID.',
    fix: 'Send the event_id of the decision’s latest event, or leave the field out for the first one.',
  },
  ttl: { cause: 'The lifetime is not a whole number from 60 to 3600.', fix: 'Send seconds, or leave the field out.' },
  uses: { cause: 'The number of uses is not a whole number from 1 to 10.', fix: 'Send it so, or leave the field out.' },
  grant_id: {
    cause:
      'The grant is not this site’s, its id is not a UUID, or grant_id and session are both there or both missing.',
    fix: 'Send either grant_id, as /grants returned it, or session, with the secret of the same site.',
  },
  sitekey: { cause: 'There is no such site key.', fix: 'Copy data-sitekey anew from the site’s page.' },
  kinds: {
    cause: 'The list of kinds of work is empty, is not a list of names, or lacks pow-sha256.',
    fix: 'Load the current component from this service; a copy of your own may be damaged.',
  },
  challenge: {
    cause: 'The challenge belongs to another intent, or was altered on its way.',
    fix: 'Let the component solve it: nothing of the challenge should be stored or changed.',
  },
  solution: {
    cause: 'The solution is not base64url without padding, or too long.',
    fix: 'Let the component solve the challenge.',
  },
  '*': {
    cause: 'The body has a field that the endpoint does not know.',
    fix: 'Send only the fields of the reference; a misspelt optional field counts as unknown.',
  },
}

/** What lies behind a code at an endpoint, where the catalogue says less. */
const CODES: Partial<Record<RefusalCode, Likely>> = {
  unauthorized: {
    cause: 'A server uses a secret that was revoked, or rotated away when its overlap ended.',
    fix: 'Find the server that holds the secret with these last characters, and give it the live one.',
  },
  'already-redeemed': {
    cause: 'The form was submitted twice, or a retry used a new idempotency key.',
    fix: 'Make the idempotency key once per submission and repeat it with retries. Single cases are visitors who press twice.',
  },
  'binding-mismatch': {
    cause: 'Action or hostname differ between /intents and /siteverify, or a token was carried to another form.',
    fix: 'Send both from the same place in your code. If you do, somebody tries tokens elsewhere.',
  },
  'intent-expired': {
    cause: 'The form stayed open for more than five minutes, or its page came out of a cache.',
    fix: 'Open a new intent when the form is shown again, and do not cache pages with an intent.',
  },
  'response-invalid': {
    cause: 'The token is forged, altered, cut off, or of another intent or site.',
    fix: 'Pass the field on whole and unchanged, with the intent_id of the same form.',
  },
  'origin-not-allowed': {
    cause: 'The page stands on another host than its intent says: a mirror, a translator, a preview, or www in front.',
    fix: 'Open the intent with the hostname of the page, and allow that hostname.',
  },
  'solution-invalid': {
    cause: 'Somebody sends guesses instead of solutions; our component never does.',
    fix: 'Nothing to mend. If it comes with many intents, raise the work or use attack mode.',
  },
  'rate-limited': {
    cause: 'More requests than the site’s limits allow: a burst, a loop, or an attack.',
    fix: 'Honour Retry-After. If this is your ordinary traffic, raise the limits in the site’s settings.',
  },
  'quota-exceeded': {
    cause: 'The month’s included units and the balance are used up.',
    fix: 'Add units or raise the plan; what was refused can be repeated with the same parameters.',
  },
}

/** What the merchant should know of a refusal. `code` as it is kept: `bad-field` is a 422 `bad-request`. */
export function explainRefusal(code: string, field: string | null): Explanation {
  const known = code as RefusalCode
  const { status, meaning, remedy } = CATALOGUE[known] ?? CATALOGUE['internal-error']
  const likely = known === 'bad-field' ? (FIELDS[field ?? '*'] ?? FIELDS['*']) : CODES[known]
  const section = known === 'bad-field' ? (field !== null && field !== '*' && field in FIELDS ? field : 'fields') : code
  return {
    status,
    error: known === 'bad-field' ? 'bad-request' : code,
    cause: likely?.cause ?? meaning,
    fix: likely?.fix ?? remedy,
    docs: `/docs/errors#${section}`,
  }
}
