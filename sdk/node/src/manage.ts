import { randomUUID } from 'node:crypto'
import { TollgateError } from './errors.ts'
import { membersOf } from './json.ts'
import { retry } from './retry.ts'
import { AGENT } from './send.ts'
import { unreachable } from './unreachable.ts'
import { isInsecure, readBase } from './url.ts'

const KEY = /^tg_manage_[0-9A-Za-z]{49}$/
const TIMEOUT_MS = 30_000
/** For a call with all its tries: a key has 20 calls a second, and a tenant's other keys may use them up. */
const DEADLINE_MS = 120_000

/** Calls of the management API with a key. Each is repeated while the service asks for that; errors are TollgateErrors. */
export type Manage = {
  get<Out>(path: string): Promise<Out>
  /** All rows of a list. */
  list<Row>(path: string): Promise<Row[]>
  /** `idempotencyKey`: of a call that creates something; without it, each call has its own. */
  send<Out>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    idempotencyKey?: string,
  ): Promise<Out>
}

/** Throws a TypeError if an option is unusable. */
export function openManage({
  url,
  key,
  allowInsecure = false,
}: {
  url: string
  key: string
  allowInsecure?: boolean | undefined
}): Manage {
  const base = readBase(url)
  if (base === undefined) throw new TypeError('Set TOLLGATE_URL (or --url) to the http(s) address of the service.')
  if (isInsecure(base) && !allowInsecure)
    throw new TypeError(
      `${base} is an http: address of another machine, so the key could be read on the way. Use https:, or --allow-insecure.`,
    )
  if (!KEY.test(key))
    throw new TypeError(
      'Set TOLLGATE_KEY to an API key: tg_manage_ and 49 letters or digits. The console makes one under Settings.',
    )

  async function attempt(method: string, path: string, headers: Record<string, string>, body: string | undefined) {
    const at = `${base}/v1${path}`
    let response: Response
    let text: string
    try {
      response = await fetch(at, {
        method,
        redirect: 'manual',
        headers: { authorization: `Bearer ${key}`, 'user-agent': AGENT, ...headers },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== undefined && { body }),
      })
      text = await response.text()
    } catch (error) {
      throw unreachable(at, error)
    }
    const reply = parse(text)
    const { status } = response
    if (response.ok && reply) return reply
    const { error, message, field } = textsOf(reply)
    throw new TollgateError(
      error ?? 'unexpected-answer',
      `${method} /v1${path}: ${status} ${field ? `${field}: ` : ''}${message ?? error ?? 'the answer is not one of Tollgate'}`,
      {
        status,
        field,
        retryable: [429, 502, 503, 504].includes(status),
        retryAfter: Number(response.headers.get('retry-after')) || 1,
      },
    )
  }

  const call = async (method: string, path: string, body?: object, idempotencyKey?: string) => {
    const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {}
    if (method === 'POST') headers['idempotency-key'] = idempotencyKey ?? randomUUID()
    const text = body && JSON.stringify(body)
    return await retry(() => attempt(method, path, headers, text), { deadline: DEADLINE_MS, signal: undefined })
  }

  return {
    get: async <Out>(path: string) => (await call('GET', path)) as Out,
    send: async <Out>(...given: Parameters<Manage['send']>) => (await call(...given)) as Out,
    async list<Row>(path: string) {
      const rows: Row[] = []
      let cursor: string | undefined
      do {
        const page = await call('GET', `${path}?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
        rows.push(...(page['rows'] as Row[]))
        cursor = textsOf(page)['next_cursor']
      } while (cursor)
      return rows
    },
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The members of an answer that are texts. */
const textsOf = (answer: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(membersOf(answer)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
