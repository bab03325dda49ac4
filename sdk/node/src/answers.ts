import { decisionId, isOf, unixSeconds, uuid } from './grammars.ts'
import type { Decision, FeedbackReceipt, Grant, Intent, Revocation } from './types.ts'

type Answer = Readonly<Record<string, unknown>>

/** Reads the body and headers of a 200; undefined if it does not match the request. */
export type Reader<Asked, Value> = (answer: Answer, asked: Asked, headers: Headers) => Value | undefined

type Binding = { readonly action: string; readonly hostname: string }

const isUuid = (value: unknown): value is string => isOf(uuid, value)
const isDecisionId = (value: unknown): value is string => isOf(decisionId, value)
const isSeconds = (value: unknown): value is number => isOf(unixSeconds, value)
const isCount = (value: unknown, least: number): value is number => isSeconds(value) && value >= least

/** The intent, if it is for this site, action and hostname. */
export const readIntent =
  (sitekey: string): Reader<Binding, Intent> =>
  (answer, { action, hostname }) => {
    const { intent_id: intentId, expires_at: expiresAt } = answer
    const isOurs = answer['sitekey'] === sitekey && answer['action'] === action && answer['hostname'] === hostname
    return isOurs && isUuid(intentId) && isSeconds(expiresAt)
      ? { intentId, sitekey, action, hostname, expiresAt }
      : undefined
  }

/** The decision, if the visitor passed for exactly this intent, action and hostname. */
export const readDecision: Reader<Binding & { readonly intent_id: string }, Decision> = (answer, asked) => {
  const { intent_id: intentId, action, hostname } = asked
  const { success, assessment, decision_id: decision } = answer
  const isOurs = answer['intent_id'] === intentId && answer['action'] === action && answer['hostname'] === hostname
  return success === true && assessment === 'passed' && isOurs && isDecisionId(decision)
    ? { success, intentId, action, hostname, decisionId: decision, assessment }
    : undefined
}

/** The receipt, if it is for this event. */
export const readReceipt: Reader<{ readonly event_id: string }, FeedbackReceipt> = (answer, asked, headers) => {
  const { event_id: eventId } = asked
  const { accepted, revision, expires_at: expiresAt } = answer
  const isOurs = accepted === true && answer['event_id'] === eventId
  return isOurs && isCount(revision, 1) && isSeconds(expiresAt)
    ? { accepted, eventId, revision, expiresAt, latestEventId: latestEventOf(headers) }
    : undefined
}

/** The latest feedback event of the decision, if the answer names it. */
export function latestEventOf(headers: Headers): string | undefined {
  const event = headers.get('tollgate-latest-event')
  return isUuid(event) ? event : undefined
}

export const readGrant: Reader<unknown, Grant> = ({ grant_id: grantId, expires_at: expiresAt, uses }) =>
  isUuid(grantId) && isSeconds(expiresAt) && isCount(uses, 1) ? { grantId, expiresAt, uses } : undefined

export const readRevocation: Reader<unknown, Revocation> = ({ revoked }) =>
  isCount(revoked, 0) ? { revoked } : undefined
