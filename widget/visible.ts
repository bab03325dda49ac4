/**
 * Resolves when the page is visible, immediately if it is now. Also resolves as soon as `signal` aborts. A page that is
 * prerendered is hidden until it is activated.
 */
export function whenVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listener = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', listener)
      resolve()
    }
    document.addEventListener('visibilitychange', listener)
    signal.addEventListener('abort', listener)
    listener()
  })
}
