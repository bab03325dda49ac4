import { randomInt } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { Failed } from './check.ts'
import type { Form, Page, Values } from './page.ts'

const TIMEOUT_MS = 60_000
const MOST_REDIRECTS = 5

/** No answer within a minute: the merchant waits forever, or the machine is too slow. */
export class Unanswered extends Error {}

export type Sending = { headers?: Record<string, string>; signal?: AbortSignal }

/** A visitor without a browser: keeps cookies, follows redirections, sends forms. */
export type Visitor = {
  /** An address from a documentation range, so that a deployment that trusts the kit as a proxy limits each visitor separately. */
  ip: string
  cookies: Map<string, string>
  open(url: string, sending?: Sending): Promise<Page>
  /** Sends a form with these values, as a browser would. */
  send(form: Form, values: Values, sending?: Sending): Promise<Page>
}

/** `onPage` gets every page that this visitor receives. */
export function createVisitor(onPage: (page: Page) => void): Visitor {
  const cookies = new Map<string, string>()
  const ip = `198.51.100.${randomInt(1, 255)}`

  async function ask(method: string, address: string, body: Buffer | undefined, sending: Sending): Promise<Page> {
    const locations: string[] = []
    let [url, verb, content] = [address, method, body]
    let firstStatus: number | undefined
    for (let hops = 0; ; hops++) {
      const reply = await exchange(verb, url, content, { ...sending, cookies })
      for (const line of reply.headers['set-cookie'] ?? []) keep(cookies, line)
      firstStatus ??= reply.status
      const { location } = reply.headers
      if (reply.status < 300 || reply.status > 399 || location === undefined || hops === MOST_REDIRECTS) {
        const page = { ...reply, url, firstStatus, locations }
        onPage(page)
        return page
      }
      url = new URL(location, url).href
      locations.push(url)
      if (reply.status < 307) [verb, content] = ['GET', undefined]
    }
  }

  return {
    ip,
    cookies,
    open: (url, sending = {}) => ask('GET', url, undefined, sending),
    async send(form, values, sending = {}) {
      const { origin } = new URL(form.action)
      const { type, body } = await encode(form, values)
      const headers = { origin, referer: `${origin}/`, 'content-type': type, ...sending.headers }
      if (form.method !== 'GET') return ask('POST', form.action, body, { ...sending, headers })
      const url = new URL(form.action)
      url.search = new URLSearchParams(values).toString()
      return ask('GET', url.href, undefined, sending)
    },
  }
}

async function encode({ multipart }: Form, values: Values): Promise<{ type: string; body: Buffer }> {
  if (!multipart) {
    const body = Buffer.from(new URLSearchParams(values).toString())
    return { type: 'application/x-www-form-urlencoded', body }
  }
  const data = new FormData()
  for (const [name, value] of values) data.append(name, value)
  const encoded = new Response(data)
  return {
    type: encoded.headers.get('content-type') ?? '',
    body: Buffer.from(await encoded.arrayBuffer()),
  }
}

type Reply = Pick<Page, 'status' | 'headers' | 'body'> & { headers: { 'set-cookie'?: string[]; location?: string } }

/**
 * Sends one request on a new connection. `node:http` because fetch does not let a test choose the Host header.
 * @throws Failed if the merchant ends the connection; Unanswered
 */
async function exchange(
  method: string,
  url: string,
  body: Buffer | undefined,
  { headers = {}, signal, cookies }: Sending & { cookies: ReadonlyMap<string, string> },
): Promise<Reply> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      agent: false,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      headers: {
        accept: 'text/html,application/xhtml+xml',
        ...(cookie && { cookie }),
        ...(body && { 'content-length': body.length }),
        ...headers,
      },
    })
    const name = `${method} ${new URL(url).pathname}`
    const fail = (error: Error & { code?: string }) => {
      if (limit.aborted) reject(new Unanswered(`${name} was not answered within ${TIMEOUT_MS / 1000} seconds`))
      else if (signal?.aborted || !['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error)
      else reject(new Failed(`the merchant ended the connection of ${name} without an answer`))
    }
    request.once('error', fail)
    request.once('response', (response) => {
      buffer(response).then(
        (content) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content.toString() } as Reply),
        fail,
      )
    })
    request.end(body)
  })
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (value === '' || /max-age=0\b/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}
