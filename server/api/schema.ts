import { z } from 'zod'
import { HOSTNAME } from '../accounts/sites/hostnames/grammar.ts'

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const key = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/)
const hmac = z.string().regex(/^[0-9a-f]{64}$/)
const hostname = z.string().regex(HOSTNAME)
/** What we answer. */
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
/** What we take: either case; everything behind the door sees lower case. */
const anyCaseUuid = z
  .string()
  .regex(/^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/)
  .transform((text) => text.toLowerCase())
const sitekey = z.string().regex(/^tg_site_[0-9A-Za-z]{20}$/)
const unixSeconds = z.int().min(0)
const token = z.string().regex(/^tgr_[A-Za-z0-9_-]{1,508}$/)
const decisionId = z.string().regex(/^dec_[A-Za-z0-9_-]{1,60}$/)

/**
 * The wire, request by request: what validates is what the reference at /docs shows. The order of the fields is the
 * order in which offences are reported.
 */
export const IntentRequest = z.strictObject({
  action: name.describe('What the visitor is about to do, in your own words: `checkout`, `signup`.'),
  nonce: key.describe('Fresh random text for each form. The same nonce with the same fields gives the same intent.'),
  hostname: hostname.describe(
    'Where the form stands: no scheme, no port, Punycode. On the site’s allow-list. From your configuration, never from a form field or the Host header.',
  ),
  session: hmac
    .optional()
    .describe('A keyed hash (HMAC-SHA-256, hex) of the visitor’s session. Needed for a grant that can be renewed.'),
  subject: hmac
    .optional()
    .describe('A keyed hash of whom it is about: account, e-mail, card. Limited, and raises the work, by itself.'),
  trusted_grant_id: anyCaseUuid
    .optional()
    .describe(
      'A grant, to skip the challenge. One use. `session` must be the grant’s, or absent for a grant without one.',
    ),
})
export const IntentReply = z.strictObject({
  intent_id: uuid.describe('The intent’s id, a UUIDv7.'),
  sitekey: sitekey.describe('The site whose secret was sent. Compare it with yours.'),
  action: name.describe('As sent.'),
  hostname: hostname.describe('As sent.'),
  expires_at: unixSeconds.describe('Unix seconds: creation + 300. The token ends with its intent.'),
})

export const SiteverifyRequest = z.strictObject({
  response: token.describe(
    'The field `svc-captcha-response` of the submitted form. Tokens of other captcha providers are not accepted.',
  ),
  intent_id: anyCaseUuid.describe('The intent that you stored for this form, never one that the form names.'),
  action: name.describe('As stored with the intent.'),
  hostname: hostname.describe('As stored with the intent.'),
  idempotency_key: key.describe(
    'Random, drawn apart from the nonce and stored before the first call; the same for every repetition.',
  ),
})
export const SiteverifyReply = z.strictObject({
  success: z.literal(true).describe('Always true: whatever did not pass is an error.'),
  intent_id: uuid.describe('Compare it with what you sent, as the next two.'),
  action: name.describe('The intent’s.'),
  hostname: hostname.describe('The intent’s.'),
  decision_id: decisionId.describe('The decision, for your records, feedback and grants.'),
  assessment: z
    .literal('passed')
    .describe('Always `passed`. It is no score and has no range: do not compare it with a threshold.'),
})

export const ChallengeRequest = z.strictObject({
  sitekey: sitekey.describe('The site’s public key.'),
  intent_id: anyCaseUuid.describe('The intent in the page.'),
  kinds: z
    .array(z.string())
    .min(1)
    // what can be given must be among them: a client is never given what it cannot solve
    .refine((kinds) => kinds.includes('pow-sha256'))
    .optional()
    .meta({ contains: { const: 'pow-sha256' } })
    .describe(
      'What the client can solve; absent means `["pow-sha256"]`. `pow-sha256` is among them, unknown names are ignored.',
    ),
})
const ExemptReply = z.strictObject({
  kind: z.literal('none').describe('The intent was opened with a grant: there is nothing to solve.'),
  response: token.describe('The token.'),
  expires_at: unixSeconds.describe('Unix seconds: the intent’s end.'),
})
const PuzzleReply = z.strictObject({
  kind: z.literal('pow-sha256').describe('Proof of work over SHA-256.'),
  challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,2048}$/)
    .describe('Opaque and sealed; goes back with the solution.'),
  seed: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe('16 fresh random bytes in hex.'),
  count: z.int().min(1).describe('Number of puzzles.'),
  target: z.int().min(1).max(0xffffffff).describe('The first word of each hash must be below. A uint32.'),
  expires_at: unixSeconds.describe('Unix seconds: until when a solution is taken.'),
})
export const ChallengeReply = z.discriminatedUnion('kind', [PuzzleReply, ExemptReply])

/** Without padding, and canonical: the bits that the last character has too many are zero. */
const BASE64URL = /^(?=.)(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/

export const SolveRequest = z.strictObject({
  sitekey: sitekey.describe('The site’s public key.'),
  intent_id: anyCaseUuid.describe('The intent in the page.'),
  challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,2048}$/)
    .describe('As /challenge gave it.'),
  solution: z
    .string()
    .max(2048)
    .regex(BASE64URL)
    .describe('`count` big-endian uint32 nonces in order, base64url without padding.'),
})
export const SolveReply = z.strictObject({
  response: token.describe('The token. It authorises nothing until your backend redeems it.'),
  expires_at: unixSeconds.describe('Unix seconds: the intent’s end.'),
})

export const FeedbackRequest = z.strictObject({
  decision_id: decisionId.describe('The decision that you learned something about.'),
  event_id: anyCaseUuid.describe('Yours, stored before sending. The same event gives the same answer.'),
  outcome: z.enum(['confirmed_abuse', 'legitimate', 'unknown']).describe('What it turned out to be.'),
  business_type: name.describe('What told you, in your own words: `chargeback`, `manual_review`.'),
  occurred_at: unixSeconds.describe('Unix seconds: when it happened. Not before the redemption, not after now.'),
  supersedes_event_id: anyCaseUuid.optional().describe('The decision’s latest event, which this one corrects.'),
})
export const FeedbackReply = z.strictObject({
  accepted: z.literal(true),
  event_id: uuid.describe('As sent.'),
  revision: z.int().min(1).describe('1 for the first event of the decision, one more for each correction.'),
  expires_at: unixSeconds.describe('Unix seconds: until when it can be corrected, redemption + 7 days.'),
})

export const GrantRequest = z.strictObject({
  decision_id: decisionId.describe('Redeemed at most 10 minutes ago, with a solved challenge or as a renewal.'),
  session: hmac
    .optional()
    .describe('The session of the decision’s intent. Where absent, the grant still belongs to that session, if any.'),
  ttl: z.int().min(60).max(3600).optional().describe('Seconds; 900 where absent. Capped by the site.'),
  uses: z.int().min(1).max(10).optional().describe('Intents it opens; 1 where absent. Capped by the site.'),
})
export const GrantReply = z.strictObject({
  grant_id: uuid.describe(
    'For `trusted_grant_id`. Keep it on your server: without a session, its id is all that a request needs.',
  ),
  expires_at: unixSeconds.describe('Unix seconds.'),
  uses: z.int().min(1).describe('As granted: the site may have capped it.'),
})

export const RevokeRequest = z
  .strictObject({
    grant_id: anyCaseUuid.optional().describe('This grant.'),
    session: hmac.optional().describe('All grants of this session: log-out.'),
  })
  .meta({ oneOf: [{ required: ['grant_id'] }, { required: ['session'] }] })
export const RevokeReply = z.strictObject({
  revoked: z.int().min(0).describe('Grants revoked by this call; calling again gives 0.'),
})
