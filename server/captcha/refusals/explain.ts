import type { Listed } from '../../accounts/access.ts'
import { ERRORS, type ErrorCode } from '../../contract/errors.ts'
import type { LINE_FULL } from '../challenges/networks/line.ts'

/** Why a request was probably refused, how to fix it, and where that is documented. */
export type Explanation = {
  /** The code on the wire, which is `bad-request` for an invalid field. */
  status: number
  error: string
  cause: string
  fix: string
  /** A path of the service's own documentation. */
  docs: string
}

type Likely = { cause: string; fix: string }

/** The likely cause and the fix for each refused field. `*`: a name that the endpoint does not know. */
export const FIELDS: Record<string, Likely> = {
  hostname: {
    cause: 'The hostname is not on the site’s list, or is not a bare hostname.',
    fix: 'Allow it under Hostnames, or send the page’s hostname in lower case, without scheme, port or trailing dot.',
  },
  nonce: {
    cause:
      'The nonce is missing, shorter than 16 or longer than 128 characters, or contains characters other than letters, digits, - and _.',
    fix: 'Generate a new one for each form: 24 random bytes as base64url.',
  },
  action: {
    cause:
      'The action is missing, longer than 64 characters, or contains characters other than letters, digits, - and _.',
    fix: 'Send a name for the form, such as checkout, and use the same name in /intents and /siteverify.',
  },
  session: {
    cause: 'The session is not 64 lower-case hex digits.',
    fix: 'Send the HMAC-SHA-256 of your session id in hex, never the id itself.',
  },
  subject: {
    cause: 'The subject is not 64 lower-case hex digits.',
    fix: 'Send the HMAC-SHA-256 of the account id or e-mail address in hex, never the value itself.',
  },
  trusted_grant_id: {
    cause: 'The grant id is not a UUID. (An unknown or expired grant gets `grant-invalid`.)',
    fix: 'Send grant_id as /grants returned it, or omit the field.',
  },
  response: {
    cause: 'The form was sent without a token: before the challenge was solved, or without the component.',
    fix: 'Refuse the form and show it again. If this happens to all visitors, check that the component is inside the form.',
  },
  intent_id: {
    cause: 'The intent is missing, malformed, or belongs to another site.',
    fix: 'Store the intent_id with the form that you render, and use the secret of the same site for both calls.',
  },
  idempotency_key: {
    cause: 'The key is missing, or is not 16 to 128 letters, digits, - and _.',
    fix: 'Generate one per form submission, and send it again with each retry of that submission.',
  },
  decision_id: {
    cause: 'The decision belongs to another site, or the stored id is incomplete.',
    fix: 'Store decision_id as /siteverify returned it, and use the secret of the same site.',
  },
  event_id: {
    cause: 'The event id is missing or is not a UUID.',
    fix: 'Generate a UUID for each event, store it before you send it, and use it again for retries.',
  },
  outcome: {
    cause: 'The outcome is not confirmed_abuse, legitimate or unknown.',
    fix: 'Send one of these three values.',
  },
  business_type: {
    cause:
      'The type is missing, longer than 64 characters, or contains characters other than letters, digits, - and _.',
    fix: 'Send the source of the information, such as chargeback.',
  },
  occurred_at: {
    cause: 'The time is before the redemption or in the future, or is not in whole Unix seconds.',
    fix: 'Send the time at which you learned of it, in seconds and not milliseconds.',
  },
  supersedes_event_id: {
    cause: 'The id of the event to correct is not a UUID.',
    fix: 'Send the event_id of the decision’s latest event, or omit the field for the first one.',
  },
  ttl: { cause: 'The lifetime is not a whole number from 60 to 3600.', fix: 'Send seconds, or omit the field.' },
  uses: {
    cause: 'The number of uses is not a whole number from 1 to 10.',
    fix: 'Send such a number, or omit the field.',
  },
  grant_id: {
    cause:
      'The grant belongs to another site, its id is not a UUID, or grant_id and session are both present or both missing.',
    fix: 'Send either grant_id, as /grants returned it, or session, with the secret of the same site.',
  },
  sitekey: {
    cause: 'The site key does not exist.',
    fix: 'Copy data-sitekey again from the site’s page in the console.',
  },
  kinds: {
    cause: 'The list of kinds of work is empty, is not a list of names, or has none that the site issues.',
    fix: 'Load the current component from this service; a copy of your own may be damaged.',
  },
  challenge: {
    cause: 'The challenge belongs to another intent, or was altered in transit.',
    fix: 'Let the component solve it. Do not store or change any part of the challenge.',
  },
  solution: {
    cause: 'The solution is not base64url without padding, or is too long.',
    fix: 'Let the component solve the challenge.',
  },
  '*': {
    cause: 'The body contains a field that the endpoint does not know.',
    fix: 'Send only the fields in the API reference. A misspelt optional field counts as unknown.',
  },
}

/** The same for a visitor who got no challenge, by the error's detail. */
const LIMITED: Record<Listed['by'] | typeof LINE_FULL | 'automation', Likely> = {
  'site-list': {
    cause: 'The visitor’s network is on this site’s list of networks, as denied. It got no challenge.',
    fix: 'If these are visitors of yours, change or remove the network under Networks of the site.',
  },
  'deployment-list': {
    cause: 'The visitor’s network is on the list of the operator of this service, as denied. It got no challenge.',
    fix: 'If these are visitors of yours, allow their network under Networks of the site, with a prefix at least as long, or ask the operator.',
  },
  'line-full': {
    cause:
      'The wait for a challenge would have been longer than a minute: more than 300 visitors a minute from one address, or a program that requests challenges and does not solve them.',
    fix: 'If many visitors of yours share the address, such as a school or an office, allow it under Networks of the site.',
  },
  automation: {
    cause: 'The client names an automation tool, or its browser says that a program drives it. The site refuses those.',
    fix: 'No action needed. To give such clients a harder challenge instead, turn off “Refuse declared automation” in the site’s settings.',
  },
}

/** The likely cause and the fix for codes that need more detail than the catalogue has. */
const CODES: Partial<Record<ErrorCode, Likely>> = {
  unauthorized: {
    cause: 'A server uses a secret that was revoked, or that was rotated and whose overlap has ended.',
    fix: 'Find the server that uses the secret with these last characters, and give it the current one.',
  },
  'already-redeemed': {
    cause: 'The form was submitted twice, or a retry used a new idempotency key.',
    fix: 'Generate the idempotency key once per submission and use it for all retries. Single cases are visitors who clicked twice.',
  },
  'binding-mismatch': {
    cause:
      'The action or hostname differs between /intents and /siteverify, or the token was submitted with another form.',
    fix: 'Read both values from the same place in your code. If you already do, someone is trying to use tokens elsewhere.',
  },
  'intent-expired': {
    cause:
      'The form was open for more than five minutes, or its page came from a cache, perhaps after it was submitted.',
    fix: 'Open a new intent when the form is shown again, and do not cache pages that contain an intent.',
  },
  'response-invalid': {
    cause: 'The token is forged, altered or truncated, or belongs to another intent or site.',
    fix: 'Send the complete, unchanged field with the intent_id of the same form.',
  },
  'origin-not-allowed': {
    cause:
      'The page’s hostname is not the intent’s: a mirror, a translation service, a preview, or a www prefix. If no hostname is named, no usable Origin arrived: a proxy removed it, or the page is a file or in a sandboxed frame.',
    fix: 'Open the intent with the page’s hostname, and allow that hostname. Let proxies pass Origin on.',
  },
  'solution-invalid': {
    cause: 'Someone is submitting guesses, probably a bot. The component never does.',
    fix: 'No action needed. If it happens for many intents, raise the difficulty or use attack mode.',
  },
  'rate-limited': {
    cause: 'There were more requests than the site’s limits allow: a burst, a loop or an attack.',
    fix: 'Wait for the seconds in Retry-After. If this is your normal traffic, raise the limits in the site’s settings.',
  },
  'quota-exceeded': {
    cause: 'The units included this month and the balance are used up.',
    fix: 'Add units or raise the plan. Refused requests can be repeated with the same parameters.',
  },
}

/** The cause and fix of a refusal, for the merchant. `code` as stored: `bad-field` is a 422 `bad-request`. */
export function explainRefusal(code: string, field: string | null): Explanation {
  const known = code as ErrorCode
  const { status, meaning, remedy } = ERRORS[known] ?? ERRORS['internal-error']
  const likely =
    known === 'bad-field'
      ? (FIELDS[field ?? '*'] ?? FIELDS['*'])
      : ((known === 'rate-limited' ? LIMITED[field as keyof typeof LIMITED] : undefined) ?? CODES[known])
  const section = known === 'bad-field' ? (field !== null && field !== '*' && field in FIELDS ? field : 'fields') : code
  return {
    status,
    error: known === 'bad-field' ? 'bad-request' : code,
    cause: likely?.cause ?? meaning,
    fix: likely?.fix ?? remedy,
    docs: `errors#${section}`,
  }
}
