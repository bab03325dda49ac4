import { now } from './clock.ts'
import { delay } from './delay.ts'
import { Failure } from './failure.ts'
import { ownProperties } from './ownProperties.ts'
import { request } from './request.ts'
import { canCompile } from './solver/allowed.ts'
import type { Puzzles } from './solver/solve.ts'
import type { ErrorCode } from './types.ts'

/** Puzzles, and the sealed challenge that is sent back with their solution before it expires. */
export interface Challenge extends Puzzles, Expiring {
  readonly challenge: string
}

export interface Token extends Expiring {
  readonly response: string
}

interface Expiring {
  /** Milliseconds on this browser's clock. */
  readonly expiresAt: number
}

export interface Client {
  /**
   * Requests a challenge, of SHA-256 only if `plain`, or gets the token if the intent was opened with a grant. Rejects with a
   * `Failure`.
   */
  challenge(call: Call, plain?: boolean): Promise<Challenge | Token>
  /** Sends one nonce per puzzle. Rejects with a `Failure`. */
  solve(challenge: Challenge, nonces: Uint32Array, call: Call): Promise<Token>
  /**
   * Requests a new intent from the merchant's server at `url`, with more `headers`; resolves to its ID. Rejects with a `Failure`
   * for `renew`.
   */
  renew(url: string, call: Call, headers?: Headers): Promise<string>
}

export interface Call {
  readonly signal: AbortSignal
  /**
   * How often a request is sent at most, not counting those that were answered with a place in line. Each try is given 5 seconds
   * more than the one before.
   */
  readonly maxTries: number
  /** Called when the service asked to retry later. */
  readonly onWait: () => void
}

type Headers = Readonly<Record<string, string>>

interface Answer {
  readonly body: Readonly<Record<string, unknown>>
  readonly expiresAt: number
}

const PATIENCE_SECONDS = 5
/** Doubled by each try: the first delay is 400 ms. */
const BACKOFF_MS = 100
/** After a longer delay the visitor decides when to retry. */
const MAX_DELAY_MS = 60_000
/** Of all delays of a request together. The longest line is a minute, and an intent is valid for five. */
const MAX_WAIT_MS = 120_000
const MAX_LIFETIME_MS = 300_000
const MAX_UINT32 = 0xffffffff
/** The `field` of errors of a renewal. */
export const RENEW = 'renew'
/** An own property takes precedence over a `toJSON` that a library of the page has added to `Array.prototype`. */
const KINDS = Object.assign(['pow-hashwx', 'pow-sha256'], { toJSON: 0 })

/**
 * Calls the service at `endpoint` for one intent. `readFacts` returns what the component noticed about its visitor, as names
 * with commas between them (docs/component.md). Mostly there is nothing, and the header is not sent.
 */
export function createClient(
  endpoint: string,
  intent: { sitekey: string; intent: string },
  readFacts: () => string,
): Client {
  const ids = { sitekey: intent.sitekey, intent_id: intent.intent }
  const readHeaders = (): Headers => {
    const facts = readFacts()
    return facts ? { 'Svc-Captcha-Facts': facts } : {}
  }
  return {
    challenge: async (call, plain) => {
      const kinds = plain || !canCompile() ? undefined : KINDS
      const answer = await post(`${endpoint}/challenge`, { ...ids, kinds }, call, readHeaders())
      return answer.body['kind'] === 'none' ? readToken(answer) : readChallenge(answer)
    },
    solve: async ({ challenge }, nonces, call) => {
      const body = { ...ids, challenge, solution: encodeNonces(nonces) }
      return readToken(await post(`${endpoint}/solve`, body, call, readHeaders()))
    },
    renew: async (url, call, headers) => {
      const { body } = await post(url, { intent_id: intent.intent }, call, headers ?? {}, RENEW)
      const next = body['intent_id']
      // After an abort the page has set another intent already.
      if (typeof next !== 'string' || !next || next === intent.intent || call.signal.aborted) {
        throw new Failure('intent-expired', RENEW)
      }
      return next
    },
  }
}

/** `field` is set for the merchant's server, which identifies its visitors by cookies. */
async function post(
  url: string,
  body: object,
  { signal, maxTries, onWait }: Call,
  headers: Headers,
  field?: string,
): Promise<Answer> {
  let tries = 1
  let waited = 0
  for (;;) {
    try {
      return await send(url, body, tries * PATIENCE_SECONDS, signal, headers, field)
    } catch (error) {
      // Not JSON, or not ours: the answer is not from the service.
      const isForeign = error instanceof SyntaxError
      const noAnswer = new Failure(
        isForeign && field ? 'bad-request' : 'network',
        field ?? (isForeign ? 'answer' : undefined),
        // Offline: the `online` event starts the next attempt, not a timer. Without http(s) there is nothing to retry.
        navigator.onLine && url.startsWith('http') ? 0 : undefined,
      )
      const failure = error instanceof Failure ? error : noAnswer
      const { code, retryAfter = Number.POSITIVE_INFINITY } = failure
      // With a time it is a place in line, where a visitor can be asked to wait any number of times.
      if (code !== 'rate-limited' || !retryAfter) tries++
      const backoff = BACKOFF_MS * 2 ** tries
      // Random, so that visitors who were rejected together do not retry together.
      const wait = Math.max(backoff, retryAfter) + Math.random() * backoff
      waited += wait
      if (signal.aborted || tries > maxTries || retryAfter > MAX_DELAY_MS || waited > MAX_WAIT_MS) throw failure
      if (failure !== noAnswer) onWait()
      await delay(wait, signal)
      if (signal.aborted) throw failure
    }
  }
}

/** Throws an error response as a `Failure`. Other errors mean that there was no readable response. */
function send(
  url: string,
  body: object,
  seconds: number,
  signal: AbortSignal,
  headers: Headers,
  field?: string,
): Promise<Answer> {
  const sentAt = now()
  const options: RequestInit = {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      ...headers,
    },
    // Without a prototype, because a library of the page may have added `toJSON` to it.
    body: JSON.stringify(ownProperties(body)),
    ...(field && { credentials: 'same-origin' as const }),
  }
  const read = async (reply: Response): Promise<Answer> => {
    const content = ownProperties(
      await reply.json().catch((error: unknown) => {
        // Anything but a syntax error means that the body did not arrive completely.
        if (reply.ok || !(error instanceof SyntaxError)) throw error
      }),
    )
    if (!reply.ok) throw readFailure(reply, content, field)
    // JSON of somebody else.
    if (!field && !content['kind'] && !('response' in content)) throw new SyntaxError()
    return { body: content, expiresAt: expiryOf(content, reply, sentAt) }
  }
  return request(url, options, seconds, read, signal)
}

function readFailure({ headers, status }: Response, { error, field }: Answer['body'], asked?: string): Error {
  const code = typeof error === 'string' && /^[a-z-]{1,40}$/.test(error) ? error : codeForStatus(status)
  // The page of a proxy, or of a server that is not the service.
  if (!code && !asked) return new SyntaxError()
  // A 500 or 502 that is not the service's is handled like its 503.
  const isTemporary = code === 'rate-limited' || code === 'unavailable'
  const seconds = Number(headers.get('Retry-After'))
  return new Failure(
    code ?? 'bad-request',
    asked ?? (field as string | undefined),
    isTemporary ? (seconds > 0 ? seconds * 1000 : 0) : undefined,
    headers.get('X-Request-Id') ?? undefined,
  )
}

function codeForStatus(status: number): ErrorCode | undefined {
  if (status === 429) return 'rate-limited'
  return status >= 500 ? 'unavailable' : undefined
}

/**
 * The expiry time on this browser's clock. That clock can be wrong by hours, so the remaining lifetime is computed on the
 * service's clock (the Date header, in whole seconds) and counted from before the request: rather too early than too late.
 */
function expiryOf(body: Answer['body'], reply: Response, sentAt: number): number {
  const date = Date.parse(reply.headers.get('Date') ?? '')
  const left = Number(body['expires_at']) * 1000 - (date + 1000 || sentAt)
  return sentAt + (left > 0 && left < MAX_LIFETIME_MS ? left : MAX_LIFETIME_MS)
}

function readToken({ body, expiresAt }: Answer): Token {
  const response = String(body['response'])
  // The page's callbacks get this value, so it must be nothing but a token.
  if (!/^tgr_[\w.~-]+$/.test(response)) throw new Failure('unsupported')
  return { response, expiresAt }
}

/** An unknown kind of challenge, or one that is too large, is `unsupported`. */
function readChallenge({ body, expiresAt }: Answer): Challenge {
  const { kind, challenge, seed, count, target, span } = body
  const known =
    (kind === 'pow-sha256' || (kind === 'pow-hashwx' && isUpTo(MAX_UINT32, span))) &&
    typeof challenge === 'string' &&
    typeof seed === 'string' &&
    /^([0-9a-f]{32}){1,2}$/.test(seed) &&
    isUpTo(4096, count) &&
    isUpTo(MAX_UINT32, target)
  if (!known) throw new Failure('unsupported')
  return { challenge, seed, count, target, span: span as number | undefined, expiresAt }
}

function isUpTo(max: number, value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= max
}

function encodeNonces(nonces: Uint32Array): string {
  const bytes = new DataView(new ArrayBuffer(nonces.length * 4))
  nonces.forEach((nonce, i) => bytes.setUint32(i * 4, nonce))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
