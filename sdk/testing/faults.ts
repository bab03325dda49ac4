/**
 * A proxy in front of a real server that injects faults between a backend and the service, one answer after the other. Tests in
 * other languages control it over HTTP: `POST {control}` takes the plan, a list of faults, and clears the recorded requests; `GET
 * {control}` returns them.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from './listen.ts'

/** The fault of one answer. */
export type Fault = {
  /**
   * `pass`: none. `drop`: the connection ends without an answer. `hang`: no answer ever comes. `delay`: it comes
   * `ms` later. `drip`: it comes byte by byte, `ms` apart. `cut`: the connection ends within the body. `garbage`: bytes
   * that are not HTTP. `answer`: `status`, `headers` and `body` in its place. `redirect`: `status` (301), to another server
   * that answers as this one would. `change`: its JSON with `fields` in it and without those of `drop`.
   */
  kind: 'pass' | 'drop' | 'hang' | 'delay' | 'drip' | 'cut' | 'garbage' | 'answer' | 'redirect' | 'change'
  /** Whether the request reaches the service, so that it is still processed; default true. */
  reaches?: boolean
  ms?: number
  status?: number
  headers?: Record<string, string>
  body?: string
  fields?: Record<string, unknown>
  drop?: string[]
}

/** A request as received. */
export type Seen = { path: string; authorization: string | null; body: string }

export type Faults = {
  /** The URL for the client, in place of the service's. */
  url: string
  control: string
  /** The target of redirections. */
  elsewhere: string
  /** The faults of the next requests, in order; later ones pass. Clears the recorded requests. */
  plan(faults: readonly Fault[]): void
  /** The requests since the plan was made: here, and at the target of redirections, which must never receive any. */
  seen(): { here: Seen[]; elsewhere: Seen[] }
  close(): Promise<void>
}

export type Reply = { status: number; headers: Record<string, string>; body: string }

const HTML = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Log in</title>' }

/** Opens the proxy in front of `target`, a base address without a trailing slash. */
export async function openFaults(target: string): Promise<Faults> {
  let planned: Fault[] = []
  let here: Seen[] = []
  let astray: Seen[] = []
  const closing = new AbortController()

  const elsewhere = await listen(
    orDrop(async (request, response) => {
      const seen = await see(request)
      astray.push(seen)
      send(response, await forward(target, seen))
    }),
  )
  const proxy = await listen(
    orDrop(async (request, response) => {
      const seen = await see(request)
      here.push(seen)
      const fault = planned.shift() ?? { kind: 'pass' }
      const reply = fault.reaches === false ? HTML : await forward(target, seen)
      await spoil(fault, reply, { request, response, elsewhere: elsewhere.url + seen.path, signal: closing.signal })
    }),
  )
  function plan(faults: readonly Fault[]): void {
    planned = [...faults]
    here = []
    astray = []
  }
  const control = await listen(
    orDrop(async (request, response) => {
      if (request.method === 'POST') plan((await json(request)) as Fault[])
      const seen = { here, elsewhere: astray }
      send(response, { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(seen) })
    }),
  )
  return {
    url: proxy.url,
    control: control.url,
    elsewhere: elsewhere.url,
    plan,
    seen: () => ({ here, elsewhere: astray }),
    async close() {
      closing.abort()
      await Promise.all([proxy.close(), elsewhere.close(), control.close()])
    },
  }
}

type Exchange = { request: IncomingMessage; response: ServerResponse; elsewhere: string; signal: AbortSignal }

/** Answers with the reply after applying the fault. */
export async function spoil(
  fault: Fault,
  reply: Reply,
  { request, response, elsewhere, signal }: Exchange,
): Promise<void> {
  const { kind, ms = 0, status, headers = {}, body = '' } = fault
  switch (kind) {
    case 'pass':
      return send(response, reply)
    case 'drop':
      request.socket.destroy()
      return
    case 'hang':
      return
    case 'delay':
      await sleep(ms, undefined, { signal })
      return send(response, reply)
    case 'drip':
      response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) })
      for (const byte of Buffer.from(reply.body)) {
        response.write(Buffer.of(byte))
        await sleep(ms, undefined, { signal })
      }
      response.end()
      return
    case 'cut':
      response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) })
      // both must be sent before the connection ends
      response.write(reply.body.slice(0, reply.body.length / 2), () => request.socket.end())
      return
    case 'garbage':
      request.socket.end('\u0000\u0001SSH-2.0-not-http\r\n\r\n')
      return
    case 'answer':
      return send(response, { status: status ?? HTML.status, headers, body })
    case 'redirect':
      return send(response, { status: status ?? 301, headers: { location: elsewhere }, body: '' })
    case 'change': {
      const fields = { ...(JSON.parse(reply.body) as object), ...fault.fields }
      const kept = Object.entries(fields).filter(([name]) => !fault.drop?.includes(name))
      return send(response, { ...reply, body: JSON.stringify(Object.fromEntries(kept)) })
    }
  }
}

async function see(request: IncomingMessage): Promise<Seen> {
  const { url: path = '', headers } = request
  return { path, authorization: headers.authorization ?? null, body: await text(request) }
}

async function forward(target: string, { path, authorization, body }: Seen): Promise<Reply> {
  const reply = await fetch(target + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization !== null && { authorization }) },
    body,
    redirect: 'manual',
  })
  const kept = ['content-type', 'retry-after', 'x-request-id', 'location', 'tollgate-latest-event']
  const headers = kept.flatMap((name) => {
    const value = reply.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return { status: reply.status, headers: Object.fromEntries(headers), body: await reply.text() }
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers).end(body)
}

/** A request that cannot be answered (the service is unavailable, the proxy closes) is a lost connection. */
const orDrop =
  (answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): RequestListener =>
  (request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  }
