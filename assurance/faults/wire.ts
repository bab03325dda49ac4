import { randomBytes } from 'node:crypto'
import { type Agent, request } from 'node:http'

export type Reply = { status: number; text: string }

/** As the contract says. */
const CLIENT_TIMEOUT_MS = 5000

/** POSTs to the service on a port of this machine: as a merchant's backend with its secret, or else as a visitor of a network of its own. */
export function send(
  agent: Agent,
  port: number,
  path: string,
  body: Record<string, unknown>,
  secret: string | undefined,
): Promise<Reply> {
  const text = JSON.stringify(body)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(secret === undefined
      ? {
          origin: 'https://shop.example',
          'user-agent': 'Mozilla/5.0',
          'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}`,
        }
      : { authorization: `Bearer ${secret}` }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (incoming) => {
      let received = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => (received += chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        // half of an answer is none
        if (incoming.complete) resolve({ status: incoming.statusCode ?? 0, text: received })
        else reject(new Error('the answer is not complete'))
      })
    })
    outgoing.setTimeout(CLIENT_TIMEOUT_MS, () => outgoing.destroy(new Error('no answer in 5 s')))
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}
