import { fail } from './catalogue.ts'
import { explainNothingSent } from './explain.ts'
import { type Reply, readReply } from './reply.ts'

export type Request = {
  readonly url: string
  readonly secret: string
  readonly body: string
  /** Milliseconds for connecting, sending and reading the complete answer. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

const ALWAYS = {
  method: 'POST',
  // the secret is sent to the configured address only
  redirect: 'manual',
  // some frameworks replace Node's fetch by one that caches answers
  cache: 'no-store',
} as const

/** One try. Throws UnreachableError without a complete answer, and the signal's reason if it was aborted. */
export async function send({ url, secret, body, timeout, signal }: Request): Promise<Reply> {
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
        'user-agent': 'tollgate-node/1.0.0',
      },
      body,
      signal: gone.signal,
    })
    return await readReply(response)
  } catch (error) {
    signal?.throwIfAborted()
    const reason = gone.signal.aborted ? 'no answer in time' : reasonOf(error)
    const message = explainNothingSent(reason)
    // what is wrong with an address is not better a second later
    throw fail('unreachable', { retryable: message === undefined }, reason, message)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', give)
  }
}

/** The system's code, such as ECONNREFUSED: its messages may contain more than should be logged. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  const code: unknown = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'the connection failed'
}
