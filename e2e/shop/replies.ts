import { UUID } from './fields.ts'

/** What a permit and its decision are bound to; the service echoes it and the shop compares. */
export type Binding = { readonly action: string; readonly hostname: string }

export type Permit = { readonly intentId: string }

export type Decision = { readonly decisionId: string }

/** Leave to skip the challenge `uses` times. `expiresAt` in Unix seconds. */
export type Grant = { readonly grantId: string; readonly expiresAt: number; readonly uses: number }

/** Which report of its decision it is, and until when it can be corrected, in Unix seconds. */
export type Feedback = { readonly revision: number; readonly expiresAt: number }

const DECISION_ID = /^dec_[A-Za-z0-9_-]{1,60}$/

/** The permit in a reply of /intents, if it is the one that was asked for: same site, action and hostname. */
export function readPermit(reply: unknown, asked: Binding & { readonly sitekey: string }): Permit | undefined {
  if (!isRecord(reply)) return undefined
  const { intent_id: intentId } = reply
  const echoed = reply.sitekey === asked.sitekey && reply.action === asked.action && reply.hostname === asked.hostname
  return echoed && typeof intentId === 'string' && UUID.test(intentId) ? { intentId } : undefined
}

/** The decision in a reply of /siteverify, if the visitor passed for exactly this permit, action and hostname. */
export function readDecision(reply: unknown, asked: Binding & { readonly intentId: string }): Decision | undefined {
  if (!isRecord(reply)) return undefined
  const { decision_id: decisionId } = reply
  const passed = reply.success === true && reply.assessment === 'passed'
  const echoed =
    reply.intent_id === asked.intentId && reply.action === asked.action && reply.hostname === asked.hostname
  return passed && echoed && typeof decisionId === 'string' && DECISION_ID.test(decisionId) ? { decisionId } : undefined
}

/** The grant in a reply of /grants. */
export function readGrant(reply: unknown): Grant | undefined {
  if (!isRecord(reply)) return undefined
  const { grant_id: grantId, expires_at: expiresAt, uses } = reply
  if (typeof grantId !== 'string' || !UUID.test(grantId)) return undefined
  return isCount(expiresAt) && isCount(uses) ? { grantId, expiresAt, uses } : undefined
}

/** How many grants a reply of /grants/revoke says it revoked. */
export function readRevoked(reply: unknown): number | undefined {
  return isRecord(reply) && isCount(reply.revoked) ? reply.revoked : undefined
}

/** The receipt in a reply of /feedback, if it is for this event. */
export function readFeedback(reply: unknown, eventId: string): Feedback | undefined {
  if (!isRecord(reply) || reply.accepted !== true || reply.event_id !== eventId) return undefined
  const { revision, expires_at: expiresAt } = reply
  return isCount(revision) && isCount(expiresAt) ? { revision, expiresAt } : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readMatch(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
