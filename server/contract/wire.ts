import { z } from 'zod'
import { SITEKEY, UUID } from './ids.ts'
import { ACTION, HOSTNAME } from './names.ts'

const name = z.string().regex(ACTION)
const key = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/)
const hmac = z.string().regex(/^[0-9a-f]{64}$/)
const hostname = z.string().regex(HOSTNAME)
/** As in replies. */
const uuid = z.string().regex(UUID)
/** As in requests: upper or lower case. It is converted to lower case here. */
const anyCaseUuid = z
  .string()
  .regex(/^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/)
  .transform((text) => text.toLowerCase())
const sitekey = z.string().regex(SITEKEY)
const unixSeconds = z.int().min(0)
const token = z.string().regex(/^tgr_[A-Za-z0-9_-]{1,508}$/)
const decisionId = z.string().regex(/^dec_[A-Za-z0-9_-]{1,60}$/)

/**
 * The public API's requests and replies. The same schemas validate requests and generate the reference at /docs/api. Errors
 * are reported in the order of the fields.
 */
export const IntentRequest = z.strictObject({
  action: name.describe('Your name for what the visitor is about to do, such as `checkout` or `signup`.'),
  nonce: key.describe(
    'A new random string for each form. The same nonce with the same fields returns the same intent.',
  ),
  hostname: hostname.describe(
    'The hostname of the page with the form, in Punycode, without scheme and port. It must be one of the site’s hostnames. Read it from your configuration, never from a form field or the Host header.',
  ),
  session: hmac
    .optional()
    .describe('A keyed hash (HMAC-SHA-256, hex) of the visitor’s session id. Needed for a grant that can be renewed.'),
  subject: hmac
    .optional()
    .describe(
      'A keyed hash of the target of the action: account, e-mail address or card. Requests with the same subject are limited, and raise the difficulty.',
    ),
  trusted_grant_id: anyCaseUuid
    .optional()
    .describe(
      'A grant, to skip the challenge. Counts as one use. `session` must be the grant’s, or absent for a grant without one.',
    ),
})
export type IntentFields = z.infer<typeof IntentRequest>
export const IntentReply = z.strictObject({
  intent_id: uuid.describe('The intent’s id, a UUIDv7.'),
  sitekey: sitekey.describe('The site whose secret was sent. Compare it with your site key.'),
  action: name.describe('As sent.'),
  hostname: hostname.describe('As sent.'),
  expires_at: unixSeconds.describe('Unix seconds: creation + 300. The token expires at the same time.'),
})

export const SiteverifyRequest = z.strictObject({
  response: token.describe(
    'The field `svc-captcha-response` of the submitted form. Tokens of other captcha providers are not accepted.',
  ),
  intent_id: anyCaseUuid.describe('The intent that you stored for this form, never one from a form field.'),
  action: name.describe('As stored with the intent.'),
  hostname: hostname.describe('As stored with the intent.'),
  idempotency_key: key.describe(
    'Random, generated independently of the nonce and stored before the first call. Send the same key with every retry.',
  ),
})
export const SiteverifyReply = z.strictObject({
  success: z.literal(true).describe('Always true. Anything that did not pass is an error.'),
  intent_id: uuid.describe('Compare it with what you sent, like the next two fields.'),
  action: name.describe('The intent’s.'),
  hostname: hostname.describe('The intent’s.'),
  decision_id: decisionId.describe('The decision, for your records, feedback and grants.'),
  assessment: z.literal('passed').describe('Always `passed`. It is not a score: do not compare it with a threshold.'),
})

/** Kinds of challenge that can be solved. */
const KINDS = ['pow-sha256', 'pow-hashwx'] as const
/** A kind of challenge. */
export type Kind = (typeof KINDS)[number]

export const ChallengeRequest = z.strictObject({
  sitekey: sitekey.describe('The site’s public key.'),
  intent_id: anyCaseUuid.describe('The intent in the page.'),
  kinds: z
    .array(z.string())
    .min(1)
    // must include one that the service issues, so that a client never gets a challenge that it cannot solve
    .refine((kinds) => KINDS.some((kind) => kinds.includes(kind)))
    .optional()
    .meta({ contains: { enum: KINDS } })
    .describe(
      'The kinds of challenge that the client can solve: `pow-sha256`, `pow-hashwx`. Default `["pow-sha256"]`. Unknown names are ignored. A site whose policy is `sha256` issues only `pow-sha256`.',
    ),
})
const ExemptReply = z.strictObject({
  kind: z.literal('none').describe('The intent was opened with a grant, so there is nothing to solve.'),
  response: token.describe('The token.'),
  expires_at: unixSeconds.describe('Unix seconds: when the intent expires.'),
})
const sealed = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,2048}$/)
  .describe('Opaque and sealed. Send it back with the solution.')
const puzzles = {
  count: z.int().min(1).describe('Number of puzzles.'),
  target: z.int().min(1).max(0xffffffff).describe('The first word of each hash must be below this uint32.'),
}
const solvableUntil = unixSeconds.describe('Unix seconds: until when a solution is accepted.')
const Sha256Reply = z.strictObject({
  kind: z.literal('pow-sha256').describe('Proof of work over SHA-256.'),
  challenge: sealed,
  seed: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe('16 random bytes in hex.'),
  ...puzzles,
  expires_at: solvableUntil,
})
const HashwxReply = z.strictObject({
  kind: z.literal('pow-hashwx').describe('Proof of work over HashWX, a function made for processors.'),
  challenge: sealed,
  seed: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('32 random bytes in hex.'),
  ...puzzles,
  span: z.int().min(1).max(0xffffffff).describe('Expected hashes after which the next program is used.'),
  expires_at: solvableUntil,
})
export const ChallengeReply = z.discriminatedUnion('kind', [Sha256Reply, HashwxReply, ExemptReply])

/** Without padding, and canonical: the unused bits of the last character are zero. */
const BASE64URL = /^(?=.)(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/

export const SolveRequest = z.strictObject({
  sitekey: sitekey.describe('The site’s public key.'),
  intent_id: anyCaseUuid.describe('The intent in the page.'),
  challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,2048}$/)
    .describe('As returned by /challenge.'),
  solution: z
    .string()
    .max(2048)
    .regex(BASE64URL)
    .describe('`count` big-endian uint32 nonces in order, base64url without padding.'),
})
export const SolveReply = z.strictObject({
  response: token.describe('The token. It authorises nothing until your backend redeems it.'),
  expires_at: unixSeconds.describe('Unix seconds: when the intent expires.'),
})

export const FeedbackRequest = z.strictObject({
  decision_id: decisionId.describe('The decision that the feedback is about.'),
  event_id: anyCaseUuid.describe('Generated by you and stored before sending. The same event gets the same answer.'),
  outcome: z.enum(['confirmed_abuse', 'legitimate', 'unknown']).describe('The outcome.'),
  business_type: name.describe('Your name for the source of the information, such as `chargeback` or `manual_review`.'),
  occurred_at: unixSeconds.describe('Unix seconds: when it happened. Not before the redemption and not in the future.'),
  supersedes_event_id: anyCaseUuid.optional().describe('The decision’s latest event, which this one corrects.'),
})
export const FeedbackReply = z.strictObject({
  accepted: z.literal(true),
  event_id: uuid.describe('As sent.'),
  revision: z.int().min(1).describe('1 for the first event of the decision, plus one for each correction.'),
  expires_at: unixSeconds.describe('Unix seconds: until when it can be corrected, redemption + 7 days.'),
})

export const GrantRequest = z.strictObject({
  decision_id: decisionId.describe('Redeemed at most 10 minutes ago, with a solved challenge or as a renewal.'),
  session: hmac
    .optional()
    .describe(
      'The session of the decision’s intent. If omitted, the grant still belongs to that session, if there is one.',
    ),
  ttl: z.int().min(60).max(3600).optional().describe('Seconds, default 900. Capped by the site’s policy.'),
  uses: z
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe('How many intents it can open, default 1. Capped by the site’s policy.'),
})
export const GrantReply = z.strictObject({
  grant_id: uuid.describe(
    'For `trusted_grant_id`. Keep it on your server: without a session, the id is all that a request needs.',
  ),
  expires_at: unixSeconds.describe('Unix seconds.'),
  uses: z.int().min(1).describe('As granted, possibly capped by the site’s policy.'),
})

export const RevokeRequest = z
  .strictObject({
    grant_id: anyCaseUuid.optional().describe('This grant.'),
    session: hmac.optional().describe('All grants of this session, for log-out.'),
  })
  .meta({ oneOf: [{ required: ['grant_id'] }, { required: ['session'] }] })
export const RevokeReply = z.strictObject({
  revoked: z.int().min(0).describe('The number of grants revoked by this call. A second call returns 0.'),
})
