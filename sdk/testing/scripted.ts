import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { listen } from './listen.ts'
import { type Answer, bodyOf, type Call, readVectors } from './vectors.ts'

/** An answer of `retries.json`, or bytes after which the connection ends. */
export type Scripted = Answer | { raw: string } | 'ok' | 'drop' | 'cut' | 'garbage'

export type ScriptedService = {
  url: string
  /** For tests in other languages: `POST` takes a call's name on the wire and its answers, `GET` returns `seen` and `astray`. */
  control: string
  /** Answers the n-th request from now with the n-th answer, the last one forever. Clears the recorded requests. */
  script(call: Call, answers: readonly Scripted[]): void
  /** The requests since then. */
  seen: { path: string; authorization: string | undefined; body: string; headers: IncomingHttpHeaders }[]
  /** The number of followed redirections since then. */
  astray: number
  close(): Promise<void>
}

/** A server with the answers of the vectors. */
export async function openScripted(): Promise<ScriptedService> {
  let call: Call | undefined
  let answers: readonly Scripted[] = []

  const elsewhere = await listen((_, response) => {
    service.astray += 1
    answer(response, 'ok')
  })
  const own = await listen((request, response) => void take(request, response))

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', headers } = request
    service.seen.push({ path, authorization: headers.authorization, body: await text(request), headers })
    answer(response, answers[Math.min(service.seen.length, answers.length) - 1] ?? 'ok')
  }

  function answer(response: ServerResponse, scripted: Scripted): void {
    if (!call) throw new Error('nothing is scripted')
    if (scripted === 'drop') return void response.socket?.destroy()
    if (scripted === 'garbage') return void response.socket?.end('\u0000\u0001SSH-2.0-not-http\r\n\r\n')
    if (typeof scripted === 'object' && 'raw' in scripted) return void response.socket?.end(scripted.raw, 'latin1')
    const given = typeof scripted === 'string' ? {} : scripted
    const body = bodyOf(call, given)
    const headers = Object.entries(given.headers ?? {}).map(
      ([name, value]) => [name, value.replace('{elsewhere}', elsewhere.url)] as const,
    )
    response.writeHead(given.status ?? 200, {
      'content-length': body.length,
      'content-type': 'application/json',
      ...Object.fromEntries(headers),
    })
    if (scripted === 'cut') response.write(body.subarray(0, body.length / 2), () => response.socket?.end())
    else response.end(body)
  }

  const control = await listen((request, response) => void direct(request, response))

  async function direct(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') {
      const { call: name, answers } = (await json(request)) as { call: string; answers: Scripted[] }
      const named = readVectors('calls')[name]
      if (named) service.script(named, answers)
    }
    response.end(JSON.stringify({ seen: service.seen, astray: service.astray }))
  }

  const service: ScriptedService = {
    url: own.url,
    control: control.url,
    script(next, script) {
      call = next
      answers = script
      service.seen = []
      service.astray = 0
    },
    seen: [],
    astray: 0,
    async close() {
      await Promise.all([own.close(), elsewhere.close(), control.close()])
    },
  }
  return service
}
