/** Resolves after `ms`, or as soon as `signal` aborts. */
export function delay(ms: number, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', resolve)
  })
}

/**
 * Calls `end` after `seconds`, unless the returned function is called before. Seconds in which the page's scripts block the
 * thread count as one: what is waited for may have arrived, and has to be handled first.
 */
export function afterSeconds(seconds: number, end: () => void): () => void {
  let left = seconds
  const stop = () => clearInterval(timer)
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    stop()
    end()
  }, 1000)
  return stop
}
