import { z } from 'zod'
import { HOSTNAME } from '../accounts/sites/hostnames/grammar.ts'

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const key = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/)
const hmac = z.string().regex(/^[0-9a-f]{64}$/)
const hostname = z.string().regex(HOSTNAME)
/** Either case is accepted; everything behind the door sees lower case. */
const uuid = z
  .string()
  .regex(/^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/)
  .transform((text) => text.toLowerCase())
const sitekey = z.string().regex(/^tg_site_[0-9A-Za-z]{20}$/)
const unixSeconds = z.int().min(0)
const token = z.string().regex(/^tgr_[A-Za-z0-9_-]{1,508}$/)
const decisionId = z.string().regex(/^dec_[A-Za-z0-9_-]{1,60}$/)

/** The wire, request by request. The order of the fields is the order in which offences are reported. */
export const IntentRequest = z.strictObject({
  action: name,
  nonce: key,
  hostname,
  session: hmac.optional(),
  subject: hmac.optional(),
  trusted_grant_id: uuid.optional(),
})
export const IntentReply = z.strictObject({ intent_id: uuid, sitekey, action: name, hostname, expires_at: unixSeconds })

export const SiteverifyRequest = z.strictObject({
  response: token,
  intent_id: uuid,
  action: name,
  hostname,
  idempotency_key: key,
})
export const SiteverifyReply = z.strictObject({
  success: z.literal(true),
  intent_id: uuid,
  action: name,
  hostname,
  decision_id: decisionId,
  assessment: z.literal('passed'),
})

export const ChallengeRequest = z.strictObject({ sitekey, intent_id: uuid })
const ExemptReply = z.strictObject({ kind: z.literal('none'), response: token, expires_at: unixSeconds })
const PuzzleReply = z.strictObject({
  kind: z.literal('pow-sha256'),
  challenge: z.string(),
  seed: z.string().regex(/^[0-9a-f]{32}$/),
  count: z.int().min(1),
  target: z.int().min(1).max(0xffffffff),
  expires_at: unixSeconds,
})
export const ChallengeReply = z.union([PuzzleReply, ExemptReply])

export const SolveRequest = z.strictObject({
  sitekey,
  intent_id: uuid,
  challenge: z.string().regex(/^[A-Za-z0-9_-]{1,2048}$/),
  solution: z.string().regex(/^[A-Za-z0-9_-]{1,2048}$/),
})
export const SolveReply = z.strictObject({
  response: token,
  expires_at: unixSeconds,
})

export const FeedbackRequest = z.strictObject({
  decision_id: decisionId,
  event_id: uuid,
  outcome: z.enum(['confirmed_abuse', 'legitimate', 'unknown']),
  business_type: name,
  occurred_at: unixSeconds,
  supersedes_event_id: uuid.optional(),
})
export const FeedbackReply = z.strictObject({
  accepted: z.literal(true),
  event_id: uuid,
  revision: z.int().min(1),
  expires_at: unixSeconds,
})

export const GrantRequest = z.strictObject({
  decision_id: decisionId,
  session: hmac,
  ttl: z.int().min(60).max(3600).optional(),
  uses: z.int().min(1).max(10).optional(),
})
export const GrantReply = z.strictObject({ grant_id: uuid, expires_at: unixSeconds, uses: z.int().min(1) })

export const RevokeRequest = z.strictObject({ grant_id: uuid.optional(), session: hmac.optional() })
export const RevokeReply = z.strictObject({ revoked: z.int().min(0) })

export const ErrorReply = z.strictObject({ error: z.string(), field: z.string().optional() })
