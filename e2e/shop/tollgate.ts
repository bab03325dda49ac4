import { setTimeout } from 'node:timers/promises'
import {
  type Binding,
  type Decision,
  type Feedback,
  type Grant,
  isRecord,
  type Permit,
  readDecision,
  readFeedback,
  readGrant,
  readMatch,
  readPermit,
  readRevoked,
} from './replies.ts'

/** What became of a decision that was let through. */
export type Outcome = 'confirmed_abuse' | 'legitimate' | 'unknown'

/** Why Tollgate did not do what was asked, in the service's own words where there are any. */
export type Refusal = {
  /** HTTP status; 503 where no answer came, 502 where the answer made no sense. */
  readonly status: number
  /** Error code of the service, or `unreachable`, `unexpected-answer` or `http-<status>`. */
  readonly code: string
  /** The field at fault, with 422. */
  readonly field: string | undefined
  /** Seconds to wait before asking again. */
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined
}

export type Answer<Value> = { readonly value: Value } | { readonly refusal: Refusal }

export type Tollgate = {
  /** Opens a permit: `POST /intents`. With `grantId` it is one that skips the challenge, and the grant is spent. */
  openPermit(
    request: Binding & { readonly nonce: string; readonly session: string; readonly grantId: string | undefined },
  ): Promise<Answer<Permit>>
  /** Redeems the visitor's token: `POST /siteverify`. With the same five values it may be asked again and again. */
  redeem(
    request: Binding & { readonly token: string; readonly intentId: string; readonly idempotencyKey: string },
  ): Promise<Answer<Decision>>
  /** Asks for the exemption of a decision: `POST /grants`. `ttl` in seconds. Asked again, it is the same grant. */
  grant(request: {
    readonly decisionId: string
    readonly session: string
    readonly ttl: number
    readonly uses: number
  }): Promise<Answer<Grant>>
  /** Revokes all grants of a session: `POST /grants/revoke`. The value is how many this call revoked. */
  revokeGrants(session: string): Promise<Answer<number>>
  /** Reports what was found out about a decision: `POST /feedback`. `occurredAt` in Unix seconds. */
  feedback(request: {
    readonly decisionId: string
    readonly eventId: string
    readonly outcome: Outcome
    readonly businessType: string
    readonly occurredAt: number
    readonly supersedes: string | undefined
  }): Promise<Answer<Feedback>>
}

/** One try may take this long, connecting and reading the answer included. */
const TIMEOUT_MS = 5_000
const MAX_TRIES = 3
/** No new try begins later than this after the first: a visitor is waiting for the page. */
const PATIENCE_MS = 8_000

/**
 * The client for one site. `apiUrl` has no trailing slash. Repeats a call after network errors, 429 and 503, every time
 * with the same body: nonce, idempotency key and event id make the repetition safe. Refusals are returned, never thrown.
 */
export function createTollgate(site: { apiUrl: string; sitekey: string; secret: string }): Tollgate {
  async function call<Value>(
    path: string,
    fields: Readonly<Record<string, string | number | undefined>>,
    read: (reply: unknown) => Value | undefined,
  ): Promise<Answer<Value>> {
    const body = JSON.stringify(fields)
    const latest = performance.now() + PATIENCE_MS
    for (let tries = 1; ; tries += 1) {
      const answer = await send(`${site.apiUrl}${path}`, site.secret, body, read)
      if (!('refusal' in answer) || !isWorthRepeating(answer.refusal)) return answer
      const pause = pauseBeforeNext(tries, answer.refusal.retryAfter)
      if (tries === MAX_TRIES || performance.now() + pause > latest) return answer
      await setTimeout(pause)
    }
  }

  return {
    openPermit({ action, nonce, hostname, session, grantId }) {
      return call('/intents', { action, nonce, hostname, session, trusted_grant_id: grantId }, (reply) =>
        readPermit(reply, { sitekey: site.sitekey, action, hostname }),
      )
    },

    redeem({ token, intentId, action, hostname, idempotencyKey }) {
      const fields = { response: token, intent_id: intentId, action, hostname, idempotency_key: idempotencyKey }
      return call('/siteverify', fields, (reply) => readDecision(reply, { intentId, action, hostname }))
    },

    grant({ decisionId, session, ttl, uses }) {
      return call('/grants', { decision_id: decisionId, session, ttl, uses }, readGrant)
    },

    revokeGrants(session) {
      return call('/grants/revoke', { session }, readRevoked)
    },

    feedback({ decisionId, eventId, outcome, businessType, occurredAt, supersedes }) {
      const fields = {
        decision_id: decisionId,
        event_id: eventId,
        outcome,
        business_type: businessType,
        occurred_at: occurredAt,
        supersedes_event_id: supersedes,
      }
      return call('/feedback', fields, (reply) => readFeedback(reply, eventId))
    },
  }
}

async function send<Value>(
  url: string,
  secret: string,
  body: string,
  read: (reply: unknown) => Value | undefined,
): Promise<Answer<Value>> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body,
      // The secret goes to the address that was configured and to no other.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    text = await response.text()
  } catch {
    const unreachable = { status: 503, code: 'unreachable', field: undefined, retryAfter: undefined }
    return { refusal: { ...unreachable, requestId: undefined } }
  }
  const reply = parse(text)
  const requestId = readMatch(response.headers.get('x-request-id'), /^req_[\w-]{1,64}$/)
  if (response.status === 200) {
    const value = read(reply)
    if (value !== undefined) return { value }
    const unexpected = { status: 502, code: 'unexpected-answer', field: undefined, retryAfter: undefined }
    return { refusal: { ...unexpected, requestId } }
  }
  const told = isRecord(reply) ? reply : {}
  const retryAfter = readMatch(response.headers.get('retry-after'), /^\d{1,5}$/)
  return {
    refusal: {
      status: response.status,
      code: readMatch(told.error, /^[a-z-]{1,40}$/) ?? `http-${response.status}`,
      field: readMatch(told.field, /^[a-z_]{1,40}$/),
      retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
      requestId,
    },
  }
}

function isWorthRepeating({ status }: Refusal): boolean {
  return status === 429 || status === 503
}

/** Milliseconds: what the service asked for, else doubling; spread, so that many shops do not come back at once. */
function pauseBeforeNext(tries: number, retryAfter: number | undefined): number {
  const floor = retryAfter === undefined ? 200 * 2 ** (tries - 1) : retryAfter * 1_000
  return floor + Math.random() * 100
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
