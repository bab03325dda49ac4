/**
 * Resolves when the page is visible, immediately if it is now, and never after `signal` aborts. A page that is prerendered is
 * hidden until it is activated.
 */
export function whenVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listener = () => {
      if (!document.hidden) resolve()
    }
    document.addEventListener('visibilitychange', listener, { signal })
    listener()
  })
}
