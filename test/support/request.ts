import { type IncomingHttpHeaders, request } from 'node:http'

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string }

/** A request with headers that `fetch` does not send, such as Host. Neither follows redirects nor decompresses. */
export function sendRequest(
  url: string,
  headers: Record<string, string>,
  { method = 'GET' }: { method?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('end', () => {
        const body = Buffer.concat(parts)
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body, text: body.toString() })
      })
    })
    outgoing.on('error', reject).end()
  })
}
