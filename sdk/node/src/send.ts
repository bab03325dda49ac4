import { type Reply, readReply } from './reply.ts'
import { type Tries, unreachable } from './unreachable.ts'

export type Request = {
  readonly url: string
  readonly secret: string
  readonly body: string
  /** Milliseconds for connecting, sending and reading the complete answer. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  readonly tries: Tries
  readonly agent: string
}

/** The User-Agent. */
export const AGENT = 'tollgate-node/0.2.0'

const ALWAYS = {
  method: 'POST',
  // the secret is sent to the configured address only
  redirect: 'manual',
  // some frameworks replace Node's fetch by one that caches answers
  cache: 'no-store',
} as const

/** One try. Throws `unreachable` without a complete answer, and the signal's reason if it was aborted. */
export async function send({ url, secret, body, timeout, signal, tries, agent }: Request): Promise<Reply> {
  const gone = new AbortController()
  const give = () => gone.abort()
  const timer = setTimeout(give, timeout)
  signal?.addEventListener('abort', give)
  try {
    signal?.throwIfAborted()
    const response = await fetch(url, {
      ...ALWAYS,
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': agent,
      },
      body,
      signal: gone.signal,
    })
    tries.arrived = true
    return await readReply(response, url)
  } catch (error) {
    signal?.throwIfAborted()
    throw unreachable(url, error, tries)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', give)
  }
}
