import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, spoil } from '../testing/faults.ts'
import { listen } from '../testing/listen.ts'

/** A call of the merchant's backend, as received, and the service's answer. */
export type Call = {
  path: string
  authorization: string | undefined
  body: string
  /** The members of the body, empty if it is not a JSON object. */
  fields: Record<string, unknown>
  /** When it arrived, in milliseconds since 1970. */
  at: number
  /** The service's answer; undefined if the call did not reach it. */
  answer: { status: number; fields: Record<string, unknown> } | undefined
}

/** What no probe asked for: the service was limited, slow or out of reach, or the merchant did not wait for its answer. */
export type Disturbance = {
  what: string
  /** Whether it was a call of the merchant's backend that did not get its answer. */
  isLost: boolean
  status: number | undefined
  /** Seconds until the service takes calls again, if it said so. */
  retryAfter: number | undefined
}

/** Selects the fault to inject into the answer to a call; undefined for none. */
export type Rule = (call: Call) => Fault | undefined

/** The kit's proxy between merchant (and browser) and the deployment. */
export type Relay = {
  url: string
  /** The backend's calls, in order of arrival. */
  calls: Call[]
  /** What followed a redirection, as one text for each request: method, address, headers and body. */
  strays: string[]
  disturbances: Disturbance[]
  /** Applies the rule to every call of the path from now on; the returned function ends it. */
  spoil(path: string, rule: Fault | Rule): () => void
  /** Called after the service has answered a call. The merchant gets the answer once the returned promise is resolved. */
  watch(listener: (call: Call) => Promise<void>): () => void
  close(): Promise<void>
}

const BACKEND = /^\/(intents|siteverify|feedback|grants(\/revoke)?)(\?|$)/
/** Headers of the connection and of the encoding, which fetch has decoded. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding', 'host'])

/** A backend gives a call 5 seconds. */
const SLOW_MS = 4_000
/** Seconds that the relay waits by itself while a call is limited, three times at most. */
const SHORT_WAIT = 1

/** Opens the relay in front of `target`, a base address without a trailing slash. `port` 0 picks a free one. */
export async function openRelay(target: string, port = 0): Promise<Relay> {
  const calls: Call[] = []
  const strays: string[] = []
  const disturbances: Disturbance[] = []
  const rules = new Map<string, Rule>()
  const watchers = new Set<(call: Call) => Promise<void>>()
  const closing = new AbortController()

  const elsewhere = await listen((request, response) => void tempt(request, response))

  /** Answers what follows a redirection with the pass that it may hope for. */
  async function tempt(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    strays.push(`${request.method} ${request.url}\n${JSON.stringify(request.headers)}\n${body.toString()}`)
    const { intent_id, action, hostname } = calls.at(-1)?.fields ?? {}
    const passed = { success: true, intent_id, action, hostname, decision_id: 'dec_elsewhere', assessment: 'passed' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(passed))
  }

  /** The service's answer. Waits for short limits, and records what keeps a correct merchant from its answer. */
  async function ask(request: IncomingMessage, sent: Buffer): Promise<Response> {
    const path = request.url ?? '/'
    const isLost = BACKEND.test(path)
    for (let tries = 1; ; tries++) {
      const began = Date.now()
      const reply = await forward(target, request, sent).catch((error: unknown) => {
        disturb(`${target}${path} cannot be reached: ${reasonOf(error)}`, { isLost })
        throw error
      })
      const took = Date.now() - began
      const retryAfter = Number(reply.headers.get('retry-after') ?? 1)
      if (reply.status === 429 && retryAfter <= SHORT_WAIT && tries <= 3) {
        await sleep(retryAfter * 1000, undefined, { signal: closing.signal })
        continue
      }
      const answered = { isLost, status: reply.status }
      if (reply.status === 429) disturb(`${target} limited a call of ${path}`, { ...answered, retryAfter })
      else if (reply.status >= 500) disturb(`${target} answered ${reply.status} to a call of ${path}`, answered)
      else if (took > SLOW_MS) disturb(`${target} took ${took} ms for a call of ${path}`, { isLost: false })
      return reply
    }
  }

  function disturb(what: string, { isLost = false, status, retryAfter }: Partial<Disturbance>): void {
    disturbances.push({ what, isLost, status, retryAfter })
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now()
    const sent = await buffer(request)
    const path = request.url ?? '/'
    if (!BACKEND.test(path)) return pass(await ask(request, sent), response)

    const body = sent.toString()
    const call: Call = {
      path: path.split('?')[0] ?? '',
      authorization: request.headers.authorization,
      body: path.includes('?') ? `${path} ${body}` : body,
      fields: parse(body),
      at,
      answer: undefined,
    }
    calls.push(call)
    const fault = rules.get(call.path)?.(call) ?? { kind: 'pass' }
    let reply = { status: 502, headers: {}, body: '' }
    if (fault.reaches !== false) {
      const real = await ask(request, sent)
      reply = { status: real.status, headers: headersOf(real), body: await real.text() }
      call.answer = { status: real.status, fields: parse(reply.body) }
      const isGone = request.socket.destroyed
      if (isGone && fault.kind === 'pass') {
        const what = `the merchant ended a call of ${path} after ${Date.now() - at} ms, before it was answered`
        disturb(what, { isLost: Date.now() - at > SLOW_MS })
      }
      await Promise.all([...watchers].map((watcher) => watcher(call)))
    }
    await spoil(fault, reply, { request, response, elsewhere: elsewhere.url + path, signal: closing.signal })
  }

  const server = createServer((request, response) => {
    // an unreachable deployment or a closing relay is a lost connection
    take(request, response).catch(() => request.socket.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    calls,
    strays,
    disturbances,
    spoil(path, rule) {
      rules.set(path, typeof rule === 'function' ? rule : () => rule)
      return () => void rules.delete(path)
    },
    watch(listener) {
      watchers.add(listener)
      return () => void watchers.delete(listener)
    },
    async close() {
      closing.abort()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await Promise.all([closed, elsewhere.close()])
    },
  }
}

/** `fetch failed` says nothing; its cause does. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)

function forward(target: string, request: IncomingMessage, body: Buffer): Promise<Response> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !HOP.has(name)) headers.set(name, String(value))
  const method = request.method ?? 'GET'
  const init = { method, headers, redirect: 'manual' as const }
  return fetch(target + (request.url ?? '/'), body.length > 0 ? { ...init, body: new Uint8Array(body) } : init)
}

async function pass(reply: Response, response: ServerResponse): Promise<void> {
  response.writeHead(reply.status, headersOf(reply)).end(Buffer.from(await reply.arrayBuffer()))
}

function headersOf(reply: Response): Record<string, string> {
  return Object.fromEntries([...reply.headers].filter(([name]) => !HOP.has(name)))
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
