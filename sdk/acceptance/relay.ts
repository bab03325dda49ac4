import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Fault, spoil } from '../testing/faults.ts'

/** A call of the merchant's backend, as received, and the service's answer. */
export type Call = {
  path: string
  authorization: string | undefined
  body: string
  /** The members of the body, empty if it is not a JSON object. */
  fields: Record<string, unknown>
  /** The service's answer; undefined if the call did not reach it. */
  answer: { status: number; fields: Record<string, unknown> } | undefined
}

/** Selects the fault to inject into the answer to a call; undefined for none. */
export type Rule = (call: Call) => Fault | undefined

/** The kit's proxy between merchant (and browser) and the deployment. */
export type Relay = {
  url: string
  /** The backend's calls, in order of arrival. */
  calls: Call[]
  /** Applies the rule to every call of the path from now on; the returned function ends it. */
  spoil(path: string, rule: Fault | Rule): () => void
  /** Called after the service has answered a call and before the merchant gets the answer. */
  watch(listener: (call: Call) => void): () => void
  close(): Promise<void>
}

const BACKEND = /^\/(intents|siteverify|feedback|grants(\/revoke)?)(\?|$)/
/** Headers of the connection and of the encoding, which fetch has decoded. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding', 'host'])

/** Opens the relay in front of `target`, a base address without a trailing slash. `port` 0 picks a free one. */
export async function openRelay(target: string, port = 0): Promise<Relay> {
  const calls: Call[] = []
  const rules = new Map<string, Rule>()
  const watchers = new Set<(call: Call) => void>()
  const closing = new AbortController()

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(request)
    const path = request.url ?? '/'
    if (!BACKEND.test(path)) return pass(await forward(target, request, sent), response)

    const body = sent.toString()
    const call: Call = {
      path: path.split('?')[0] ?? '',
      authorization: request.headers.authorization,
      body: path.includes('?') ? `${path} ${body}` : body,
      fields: parse(body),
      answer: undefined,
    }
    calls.push(call)
    const fault = rules.get(call.path)?.(call) ?? { kind: 'pass' }
    let reply = { status: 502, headers: {}, body: '' }
    if (fault.reaches !== false) {
      const real = await forward(target, request, sent)
      reply = { status: real.status, headers: headersOf(real), body: await real.text() }
      call.answer = { status: real.status, fields: parse(reply.body) }
      for (const watcher of watchers) watcher(call)
    }
    await spoil(fault, reply, { request, response, elsewhere: target, signal: closing.signal })
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
      await closed
    },
  }
}

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
