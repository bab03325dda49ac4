/** Resolves when somebody looks at the page, at once if so already; also as soon as `signal` aborts. */
export function shown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return
      stop()
      resolve()
    }
    const stop = onSight(signal, look)
    look()
  })
}

/** Does `task` while the page is looked at: its signal aborts when the page is hidden, and it is called again after. */
export async function whileShown<T>(signal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (;;) {
    await shown(signal)
    const spell = new AbortController()
    const look = () => {
      if (document.hidden || signal.aborted) spell.abort()
    }
    const stop = onSight(signal, look)
    look()
    try {
      return await task(spell.signal)
    } catch (error) {
      if (signal.aborted || !spell.signal.aborted) throw error
    } finally {
      stop()
    }
  }
}

/** Calls `look` whenever the page is hidden or shown, and when `signal` aborts, until the returned function is called. */
function onSight(signal: AbortSignal, look: () => void): () => void {
  document.addEventListener('visibilitychange', look)
  signal.addEventListener('abort', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    signal.removeEventListener('abort', look)
  }
}
