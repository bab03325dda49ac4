import { type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { listen } from '../../sdk/testing/listen.ts'

/** A way for one path to fail: the connection ends without an answer, or the service has no capacity. */
export type Failure = 'unreachable' | 'unavailable'

/** What stands between the browser and the service: records, delays and fails. */
export type Relay = {
  url: string
  /** The requests that browsers sent, as `POST /challenge`. */
  seen(): string[]
  /** The kinds of the challenges that were given. */
  kinds(): unknown[]
  /** Answers the path so, until `recover`. */
  fail(path: string, failure: Failure): void
  recover(): void
  /** Answers the path only after the returned function was called. */
  hold(path: string): () => void
  close(): Promise<void>
}

export async function openRelay(target: string): Promise<Relay> {
  const seen: string[] = []
  const kinds: unknown[] = []
  const failures = new Map<string, Failure>()
  const held = new Map<string, Promise<void>>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const path = new URL(url, target).pathname
    seen.push(`${method} ${path}`)
    const failure = failures.get(path)
    if (failure === 'unreachable') return void request.socket.destroy()
    // also when it fails, a browser may ask whether it may send the request
    if (failure === 'unavailable' && method === 'POST') {
      const json = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
      return void response.writeHead(503, json).end('{"error":"unavailable"}')
    }
    if (method === 'POST') await held.get(path)
    const forwarded = send(target + url, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      if (path === '/challenge' && method === 'POST') readKind(reply)
      reply.pipe(response)
    })
    forwarded.on('error', () => request.socket.destroy())
    request.pipe(forwarded)
  }

  function readKind(reply: IncomingMessage): void {
    let text = ''
    reply.on('data', (chunk) => (text += String(chunk)))
    reply.on('end', () => {
      if (reply.statusCode === 200) kinds.push((JSON.parse(text) as { kind: unknown }).kind)
    })
  }

  const server = await listen((request, response) => void answer(request, response))
  return {
    url: server.url,
    seen: () => seen,
    kinds: () => kinds,
    fail: (path, failure) => void failures.set(path, failure),
    recover: () => failures.clear(),
    hold(path) {
      let release = () => {}
      held.set(
        path,
        new Promise<void>((resolve) => {
          release = resolve
        }),
      )
      return () => {
        held.delete(path)
        release()
      }
    },
    close: () => server.close(),
  }
}
