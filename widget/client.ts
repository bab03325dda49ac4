import { Failure } from './failure.ts'
import { ownOf } from './own.ts'
import { pause } from './pause.ts'
import type { Puzzles } from './solver/solve.ts'
import type { ErrorCode } from './types.ts'

/** Puzzles, and the service's sealed note of them, which goes back with the solution before it ends. */
export interface Challenge extends Puzzles, Ending {
  readonly kind: 'challenge'
  readonly challenge: string
}

export interface Token extends Ending {
  readonly kind: 'token'
  readonly response: string
}

interface Ending {
  /** Milliseconds on this browser's clock. */
  readonly until: number
}

export interface Client {
  /** Asks for a challenge; an intent opened with a grant gives the token at once. Rejects with a `Failure`. */
  challenge(call: Call): Promise<Challenge | Token>
  /** Hands in one nonce per puzzle. Rejects with a `Failure`. */
  solve(challenge: Challenge, nonces: Uint32Array, call: Call): Promise<Token>
  /** Asks the page's own server at `url` for a new intent; its id. Rejects with a `Failure` whose field is `renew`. */
  renew(url: string, call: Call): Promise<string>
}

export interface Call {
  readonly signal: AbortSignal
  /** Called when the service asked to be tried again later. */
  readonly onWait: () => void
}

interface Answer {
  readonly body: Readonly<Record<string, unknown>>
  readonly until: number
}

const TIMEOUT_MS = 5_000
const MAX_TRIES = 4
const FIRST_PAUSE_MS = 400
/** A longer wait is the visitor's to decide. */
const MAX_PAUSE_MS = 60_000
const TOKEN_LIFE_MS = 300_000
/** Stands in the place of a field where the page's own server did not give a new intent. */
export const RENEW = 'renew'

/** Speaks with the service at `endpoint` for one intent. */
export function createClient(endpoint: string, intent: { sitekey: string; intent: string }): Client {
  const names = { sitekey: intent.sitekey, intent_id: intent.intent }
  return {
    challenge: async (call) => {
      const answer = await post(`${endpoint}/challenge`, names, call)
      return answer.body['kind'] === 'none' ? readToken(answer) : readChallenge(answer)
    },
    solve: async ({ challenge }, nonces, call) => {
      const body = { ...names, challenge, solution: encodeNonces(nonces) }
      return readToken(await post(`${endpoint}/solve`, body, call))
    },
    renew: async (url, call) => {
      const { body } = await post(url, { intent_id: intent.intent }, call, RENEW)
      const next = body['intent_id']
      // After an abort the page has another intent already.
      if (typeof next !== 'string' || !next || next === intent.intent || call.signal.aborted) {
        throw new Failure('intent-expired', RENEW)
      }
      return next
    },
  }
}

/** `field` is given where the page's own server is asked, which knows its visitor by cookies. */
async function post(url: string, body: object, { signal, onWait }: Call, field?: string): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await send(url, body, signal, field)
    } catch (error) {
      // No JSON: something else than the service has answered.
      const code = error instanceof SyntaxError ? 'bad-request' : 'network'
      // Offline: the next try belongs to the moment when the connection is back, not to a timer.
      const lost = new Failure(code, field, navigator.onLine ? 0 : undefined)
      const failure = error instanceof Failure ? error : lost
      const { after = Number.POSITIVE_INFINITY } = failure
      if (signal.aborted || tries === MAX_TRIES || after > MAX_PAUSE_MS) throw failure
      if (failure !== lost) onWait()
      const backoff = FIRST_PAUSE_MS * 2 ** (tries - 1)
      // Spread out, so that visitors turned away together do not come back together.
      await pause(Math.max(backoff, after) + Math.random() * backoff, signal)
      if (signal.aborted) throw failure
    }
  }
}

/** Throws the service's refusal as a `Failure`, and anything else where no answer can be read. */
async function send(url: string, body: object, signal: AbortSignal, field?: string): Promise<Answer> {
  const sentAt = Date.now()
  const request = new AbortController()
  // Ends with the run of which the request is a part, if not before: nothing has to be cleared away.
  void pause(TIMEOUT_MS, signal).then(() => request.abort())
  const reply = await fetch(url, {
    // As in download.ts: a page may have put into every object what this would take for an option.
    __proto__: null,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
    credentials: field ? 'same-origin' : 'omit',
    signal: request.signal,
  } as RequestInit)
  const json = reply.json()
  const content = ownOf(await (reply.ok ? json : json.catch(() => undefined)))
  if (!reply.ok) throw refusalOf(reply, content, field)
  return { body: content, until: endOf(content, reply, sentAt) }
}

function refusalOf({ headers, status }: Response, { error, field }: Answer['body'], asked?: string): Failure {
  const code = typeof error === 'string' && /^[a-z-]{1,40}$/.test(error) ? error : codeOf(status)
  // A proxy's own 502 or 504 means the same to us as the service's 503.
  const passes = code === 'rate-limited' || code === 'unavailable'
  const seconds = Number(headers.get('Retry-After'))
  return new Failure(
    code,
    asked ?? (field as string | undefined),
    passes ? Math.max(0, seconds * 1000 || 0) : undefined,
    headers.get('X-Request-Id') ?? undefined,
  )
}

function codeOf(status: number): ErrorCode {
  if (status === 429) return 'rate-limited'
  if (status === 500) return 'internal-error'
  return status > 500 ? 'unavailable' : 'bad-request'
}

/**
 * When the token ends, on this browser's clock: that may be wrong by hours, so the life left is counted on the
 * service's clock (the Date header, cut to whole seconds) and from before the request left: rather early than late.
 */
function endOf(body: Answer['body'], reply: Response, sentAt: number): number {
  const date = Date.parse(reply.headers.get('Date') ?? '')
  const left = Number(body['expires_at']) * 1000 - (date + 1000 || sentAt)
  return sentAt + (left > 0 && left < TOKEN_LIFE_MS ? left : TOKEN_LIFE_MS)
}

function readToken({ body, until }: Answer): Token {
  const response = body['response']
  // It is handed to functions of the page: nothing that could be more than a token may pass.
  if (typeof response !== 'string' || !/^tgr_[\w.~-]+$/.test(response)) throw new Failure('unsupported')
  return { kind: 'token', response, until }
}

/** A kind of challenge, or a size of it, that this version does not know is `unsupported`. */
function readChallenge({ body, until }: Answer): Challenge {
  const { kind, challenge, seed, count, target } = body
  const known =
    kind === 'pow-sha256' &&
    typeof challenge === 'string' &&
    typeof seed === 'string' &&
    /^[0-9a-f]{32}$/.test(seed) &&
    isUpTo(4096, count) &&
    isUpTo(0xffffffff, target)
  if (!known) throw new Failure('unsupported')
  return { kind: 'challenge', challenge, seed, count, target, until }
}

function isUpTo(most: number, value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= most
}

function encodeNonces(nonces: Uint32Array): string {
  const bytes = new DataView(new ArrayBuffer(nonces.length * 4))
  nonces.forEach((nonce, i) => bytes.setUint32(i * 4, nonce))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
