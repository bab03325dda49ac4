/** Resolves when somebody looks at the page, at once if so already; also as soon as `signal` aborts. */
export function shown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wait = new AbortController()
    onSight(signal, wait.signal, () => {
      if (document.hidden && !signal.aborted) return
      wait.abort()
      resolve()
    })
  })
}

/** Does `task` while the page is looked at: its signal aborts when the page is hidden, and it is called again after. */
export async function whileShown<T>(signal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (;;) {
    await shown(signal)
    const spell = new AbortController()
    onSight(signal, spell.signal, () => {
      if (document.hidden || signal.aborted) spell.abort()
    })
    try {
      return await task(spell.signal)
    } catch (error) {
      if (signal.aborted || !spell.signal.aborted) throw error
    } finally {
      spell.abort()
    }
  }
}

/** Calls `look` now, whenever the page is hidden or shown, and when `signal` aborts, until `end` does. */
function onSight(signal: AbortSignal, end: AbortSignal, look: () => void): void {
  document.addEventListener('visibilitychange', look, { signal: end })
  signal.addEventListener('abort', look, { signal: end })
  look()
}
