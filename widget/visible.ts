/**
 * Resolves when the page is visible, immediately if it is now. Also resolves as soon as `signal` aborts. A page that is
 * prerendered is hidden until it is activated.
 */
export function whenVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController()
    onVisibility(signal, listening.signal, () => {
      if (document.hidden && !signal.aborted) return
      listening.abort()
      resolve()
    })
  })
}

/** Runs `task` while the page is visible: its signal aborts when the page is hidden, and it is called again afterwards. */
export async function whileVisible<T>(signal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (;;) {
    await whenVisible(signal)
    const visible = new AbortController()
    onVisibility(signal, visible.signal, () => {
      if (document.hidden || signal.aborted) visible.abort()
    })
    try {
      return await task(visible.signal)
    } catch (error) {
      if (signal.aborted || !visible.signal.aborted) throw error
    } finally {
      visible.abort()
    }
  }
}

/** Calls `listener` now, when the page is hidden or shown and when `signal` aborts, until `end` aborts. */
function onVisibility(signal: AbortSignal, end: AbortSignal, listener: () => void): void {
  document.addEventListener('visibilitychange', listener, { signal: end })
  signal.addEventListener('abort', listener, { signal: end })
  listener()
}
