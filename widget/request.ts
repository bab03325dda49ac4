import { afterSeconds } from './delay.ts'

/**
 * Calls `read` with the response to a request without cookies, and resolves to its result. Rejects with an `AbortError` after
 * `seconds`, or when `signal` aborts. The options have no properties but their own, because a page may have added to
 * `Object.prototype` what `fetch` reads as an option, and the one method that scripts which wrap `fetch` call.
 */
export async function request<T>(
  url: string | URL,
  init: RequestInit,
  seconds: number,
  read: (reply: Response) => Promise<T> | T,
  signal?: AbortSignal,
): Promise<T> {
  const run = new AbortController()
  const abort = () => run.abort()
  const cancel = afterSeconds(seconds, abort)
  signal?.addEventListener('abort', abort)
  try {
    return await read(
      await fetch(url, { __proto__: OWN, credentials: 'omit', ...init, signal: run.signal } as RequestInit),
    )
  } finally {
    cancel()
  }
}

// oxlint-disable-next-line typescript/unbound-method -- it is called on the options that have it as their prototype
const OWN = { __proto__: null, hasOwnProperty: Object.prototype.hasOwnProperty }

/** Seconds after which a file counts as unavailable. */
const FILE_SECONDS = 10

/** Downloads `url` and reads it. Rejects if it does not exist, or does not arrive in time. */
export function download<T>(
  url: string | URL,
  read: (reply: Response) => Promise<T>,
  cache: RequestCache = 'default',
): Promise<T> {
  return request(url, { cache }, FILE_SECONDS, (reply) => {
    if (!reply.ok) throw new TypeError()
    return read(reply)
  })
}
