import { randomBytes, randomUUID } from 'node:crypto'
import { assertDocumented } from './contract.ts'
import { type Puzzles, solvePuzzles } from './solver.ts'

export type Reply = { status: number; headers: Headers; text: string; body: Record<string, unknown> }

/** The Origin and address of a browser, and the kinds that it can solve; by default each request has a new address. */
type Visit = { origin?: string; address?: string; kinds?: string[]; headers?: Record<string, string> }

const newAddress = () => `10.${[...randomBytes(3)].join('.')}`

/** The servers under test trust loopback as a proxy, so that a visitor can have an address. */
const headersOf = ({ origin = 'https://shop.example', address = newAddress(), headers }: Visit) => ({
  origin,
  'x-forwarded-for': address,
  // a browser that the service does not know; Node.js names itself, which raises the difficulty
  'user-agent': 'Mozilla/5.0',
  ...headers,
})

type Keys = { sitekey: string; secret: string }

/** A merchant and a visitor who use a server's public API. Checks every reply against the OpenAPI document. */
export function createTestClient(url: string) {
  async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await reply.text()
    assertDocumented(path, { status: reply.status, headers: reply.headers, text })
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    }
  }

  const asSite = (path: string, keys: Keys, body: unknown) =>
    post(path, body, { authorization: `Bearer ${keys.secret}` })

  const client = {
    post,
    intent: (keys: Keys, fields: Record<string, unknown> = {}) =>
      asSite('/intents', keys, { action: 'checkout', nonce: newNonce(), hostname: 'shop.example', ...fields }),
    challenge: (keys: Keys, intentId: unknown, from: Visit = {}) =>
      post(
        '/challenge',
        { sitekey: keys.sitekey, intent_id: intentId, ...(from.kinds && { kinds: from.kinds }) },
        headersOf(from),
      ),
    solve: (keys: Keys, fields: Record<string, unknown>, from: Visit = {}) =>
      post('/solve', { sitekey: keys.sitekey, ...fields }, headersOf(from)),
    siteverify: (keys: Keys, fields: Record<string, unknown>) => asSite('/siteverify', keys, fields),
    asSite,
    /** Reports that the customer of a decision was legitimate, or what `fields` say. A repetition needs all of them. */
    feedback: (keys: Keys, fields: Record<string, unknown>) =>
      asSite('/feedback', keys, {
        event_id: randomUUID(),
        outcome: 'legitimate',
        business_type: 'order',
        occurred_at: Math.floor(Date.now() / 1000),
        ...fields,
      }),

    /** Earns a token and redeems it: the id of the decision. */
    async decide(keys: Keys, fields: Record<string, unknown> = {}, from: Visit = {}): Promise<string> {
      const { body } = await client.siteverify(keys, await client.earn(keys, fields, from))
      return String(body['decision_id'])
    },

    /** Opens an intent with a grant and skips its challenge: returns the fields for /siteverify. */
    async exempt(keys: Keys, grantId: unknown, fields: Record<string, unknown> = {}): Promise<Record<string, string>> {
      const { body } = await client.intent(keys, { ...fields, trusted_grant_id: grantId })
      const challenge = await client.challenge(keys, body['intent_id'])
      if (challenge.body['kind'] !== 'none') throw new Error(`not exempt: ${challenge.text}`)
      return {
        response: String(challenge.body['response']),
        intent_id: String(body['intent_id']),
        action: String(body['action']),
        hostname: String(body['hostname']),
        idempotency_key: newNonce(),
      }
    },

    /** Opens an intent and solves its challenge: returns the fields for /siteverify, with a new idempotency key. */
    async earn(keys: Keys, fields: Record<string, unknown> = {}, from: Visit = {}): Promise<Record<string, string>> {
      const intent = await client.intent(keys, fields)
      const intentId = String(intent.body['intent_id'])
      const challenge = await client.challenge(keys, intentId, from)
      if (challenge.status !== 200)
        throw new Error(`no challenge: ${intent.status} then ${challenge.status} ${JSON.stringify(challenge.body)}`)
      const puzzle = challenge.body as Puzzles & { challenge: string }
      const solution = solvePuzzles(puzzle)
      const solved = await client.solve(keys, { intent_id: intentId, challenge: puzzle.challenge, solution }, from)
      return {
        response: String(solved.body['response']),
        intent_id: intentId,
        action: String(intent.body['action']),
        hostname: String(intent.body['hostname']),
        idempotency_key: newNonce(),
      }
    },
  }
  return client
}

export type TestClient = ReturnType<typeof createTestClient>

/** 32 characters of a nonce or an idempotency key. */
export const newNonce = (): string => randomBytes(24).toString('base64url')

/** 64 hex digits, as the hash of a session or a subject. */
export const newHash = (): string => randomBytes(32).toString('hex')
