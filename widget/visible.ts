/**
 * Resolves when the page is visible, immediately if it is now, or when its visitor uses it: some web views always count as hidden.
 * Never after `signal` aborts. A page that is prerendered is hidden until it is activated.
 */
export function whenVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listener = () => {
      if (!document.hidden || (navigator as Partial<Navigator>).userActivation?.isActive) resolve()
    }
    for (const type of ['visibilitychange', 'click']) document.addEventListener(type, listener, { signal })
    listener()
  })
}
