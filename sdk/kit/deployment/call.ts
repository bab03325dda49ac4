import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failed } from '../check.ts'
import { KINDS, solvePuzzles } from './solve.ts'

/** The deployment under test, and the site of it that the run may use. */
export type Target = { baseUrl: string; sitekey: string; secret: string; hostname: string }

export type Reply = { status: number; headers: Headers; text: string; body: Record<string, unknown> }

/** The requests of a merchant and a visitor, sent without any local check. */
export type Deployment = ReturnType<typeof createDeployment>

/** An intent with the values that redeem it. */
export type Earned = {
  intent_id: string
  action: string
  hostname: string
  response: string
  idempotency_key: string
}

const TIMEOUT_MS = 10_000
/** In seconds. After a longer one the visitor decides when to retry. */
const LONGEST_WAIT = 60

export const newNonce = (): string => randomBytes(24).toString('base64url')
export const newUuid = (): string => randomUUID()
/** A value in the form of the HMAC that a merchant sends for a session. */
export const newSession = (): string => randomBytes(32).toString('hex')

export function createDeployment({ baseUrl, sitekey, secret, hostname }: Target) {
  async function send(
    path: string,
    { method = 'POST', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Reply> {
    const reply = await fetch(baseUrl + path, {
      method,
      // Node.js names itself, and the service gives declared programs harder challenges, or none
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; tollgate-conformance)', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, text, body: parse(text) }
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  /** As the merchant's backend. */
  const asSite = (path: string, body: unknown) => post(path, body, { authorization: `Bearer ${secret}` })
  /** As the component on a page of the site, which waits for its place in line and for a challenge's minimum age. */
  const asPage = async (path: string, body: unknown): Promise<Reply> => {
    const reply = await post(path, body, { origin: `https://${hostname}` })
    const wait = Number(reply.headers.get('retry-after'))
    if (reply.status !== 429 || wait > LONGEST_WAIT) return reply
    await sleep(wait * 1000)
    return asPage(path, body)
  }

  const intent = (fields: Record<string, unknown> = {}) =>
    asSite('/intents', { action: 'conformance', nonce: newNonce(), hostname, ...fields })
  const challenge = (intentId: unknown) => asPage('/challenge', { sitekey, intent_id: intentId, kinds: KINDS })
  const solve = async (intentId: unknown, { body }: Reply) => {
    const solution = solvePuzzles(body)
    return asPage('/solve', { sitekey, intent_id: intentId, challenge: body['challenge'], solution })
  }

  return {
    target: { baseUrl, sitekey, hostname },
    send,
    post,
    asSite,
    asPage,
    intent,
    challenge,
    solve,
    /** Opens an intent and solves its challenge. */
    async earn(fields: Record<string, unknown> = {}): Promise<Earned> {
      const opened = expectStatus(await intent(fields), 200)
      const intentId = String(opened.body['intent_id'])
      const puzzle = expectStatus(await challenge(intentId), 200)
      const { body } = expectStatus(await solve(intentId, puzzle), 200)
      return {
        intent_id: intentId,
        action: String(opened.body['action']),
        hostname: String(opened.body['hostname']),
        response: String(body['response']),
        idempotency_key: newNonce(),
      }
    },
  }
}

export function expectStatus(reply: Reply, status: number): Reply {
  if (reply.status === status) return reply
  throw new Failed(`expected ${status}, got ${tell(reply)}`)
}

/** A refusal has this status and exactly this body, with `field` only for 422 `bad-request`. */
export function expectRefusal(reply: Reply, status: number, code: string, field?: string): Reply {
  const expected = JSON.stringify(field === undefined ? { error: code } : { error: code, field })
  if (reply.status === status && JSON.stringify(sorted(reply.body)) === expected) return reply
  throw new Failed(`expected ${status} ${expected}, got ${tell(reply)}`)
}

/** A reply in one line, without tokens and solutions. */
export function tell({ status, headers, text }: Reply): string {
  const id = headers.get('x-request-id')
  return `${status} ${text.slice(0, 200).replaceAll(/tgr_[\w-]+/g, 'tgr_…')}${id ? ` (${id})` : ''}`
}

function sorted(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).toSorted(([a], [b]) => a.localeCompare(b)))
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
