/**
 * Resolves when the page is visible, in a new task if it is now, and never after `signal` aborts. A page that is prerendered is
 * hidden until it is activated.
 */
export function whenVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listener = () => {
      if (!document.hidden && !signal.aborted) resolve()
    }
    document.addEventListener('visibilitychange', listener, { signal })
    // What follows would otherwise lengthen the task that renders the component.
    setTimeout(listener)
  })
}
