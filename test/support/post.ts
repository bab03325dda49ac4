import { Agent, request } from 'node:http'

export type Reply = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Sends one request over a kept-alive connection, because a run makes tens of thousands. A string is sent unchanged. */
export function post(url: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
      },
      (incoming) => {
        let received = ''
        incoming.setEncoding('utf8')
        incoming.on('data', (chunk: string) => (received += chunk))
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: received }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
