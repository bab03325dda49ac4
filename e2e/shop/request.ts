import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { UUID } from './fields.ts'

/** A request that cannot be read; `status` is the answer. */
export class RequestFault extends Error {
  readonly status: 400 | 413 | 415

  constructor(status: 400 | 413 | 415) {
    super(`request fault ${status}`)
    this.name = 'RequestFault'
    this.status = status
  }
}

/** Bytes. The longest honest form, address and token included, is a quarter of it. */
const BODY_LIMIT = 8 * 1024

const FORM_TYPE = /^application\/x-www-form-urlencoded(\s*;\s*charset="?utf-8"?)?\s*$/i

/** Reads a submitted form. @throws RequestFault 415 for another media type, 413 past 8 KiB, 400 if it is not UTF-8 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(request, FORM_TYPE))
}

/** Reads the expired intent that the component asks to renew. @throws RequestFault as `readForm`, and 400 for no id */
export async function readIntent(request: IncomingMessage): Promise<string> {
  const body = await readText(request, /^application\/json\s*(;|$)/i)
  try {
    const { intent_id: id }: Record<string, unknown> = JSON.parse(body)
    if (typeof id === 'string' && UUID.test(id)) return id
  } catch {
    // Not JSON.
  }
  throw new RequestFault(400)
}

async function readText(request: IncomingMessage, type: RegExp): Promise<string> {
  if (!type.test(request.headers['content-type'] ?? '')) throw new RequestFault(415)
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early must not close the connection: the answer still has to go out on it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT) throw new RequestFault(413)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new RequestFault(400)
  }
}

/**
 * Whether a form was sent from this shop's own pages. Browsers name the page's origin with every form that is sent; a
 * program that does not is nobody's browser, and carries nobody's cookie.
 */
export function isOwnForm({ origin, host }: IncomingHttpHeaders): boolean {
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}

/** Path and query of a request's target. Only the plain form `/path?query` is one. @throws RequestFault 400 */
export function readTarget(url: string | undefined): { path: string; query: URLSearchParams } {
  if (url === undefined || !url.startsWith('/')) throw new RequestFault(400)
  const [path = '/', ...rest] = url.split('?')
  return { path, query: new URLSearchParams(rest.join('?')) }
}

/** Host name and port of a Host header, such as `localhost` and `:3001`. */
export function readHost(header: string | undefined): { name: string; port: string } {
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/.exec(header ?? '') ?? []
  return { name: name.toLowerCase(), port }
}
