import { randomUUID } from 'node:crypto'
import { createIdempotencyKey, createNonce } from '@tollgate/node'

/**
 * One shown form. In memory, for the examples only: yours is a table in the database that holds your orders, so that an
 * attempt outlives a restart and its order is placed once, whichever process takes it. The integration guide has the
 * table, under "What to store, and when".
 */
export type Attempt = {
  id: string
  /** The visitor's, from a cookie: nobody submits somebody else's form. */
  session: string
  action: string
  hostname: string
  /** Drawn before the first call, the same for every repetition. */
  nonce: string
  idempotencyKey: string
  /** The intent's, once there is one. */
  intentId: string
  /** What the first submission said. Every later one repeats it. */
  frozen?: { email: string; response: string }
  /** The decision that its order was placed with. */
  decisionId?: string
}

const attempts = new Map<string, Attempt>()

/** Stores a new attempt. Only then its intent is asked for. */
export function insertAttempt(session: string, binding: { action: string; hostname: string }): Attempt {
  const drawn = { id: randomUUID(), nonce: createNonce(), idempotencyKey: createIdempotencyKey(), intentId: '' }
  const attempt = { ...drawn, ...binding, session }
  attempts.set(attempt.id, attempt)
  return attempt
}

/** The attempt that this session was shown, with its intent. */
export function findAttempt(id: unknown, session: string | undefined): Attempt | undefined {
  const attempt = attempts.get(String(id))
  return attempt?.session === session && attempt?.intentId !== '' ? attempt : undefined
}

/** Places the order, once: asked again, it is the same one. */
export function placeOrder(attempt: Attempt, decisionId: string): void {
  attempt.decisionId ??= decisionId
}

/** The session of a Cookie header. */
export const readSession = (cookie: string | null | undefined): string | undefined =>
  /(?:^|; )session=([\w-]{43})(?:;|$)/.exec(cookie ?? '')?.[1]

/** The Set-Cookie header of a session. Behind TLS add `Secure`. */
export const writeSession = (session: string): string => `session=${session}; Path=/; HttpOnly; SameSite=Lax`
