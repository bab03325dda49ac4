import type { EventDetails } from './types.ts'

/** Dispatches the bubbling event `svc-captcha:<name>` on the container; a page that has broken events gets none. */
export function emit<Name extends keyof EventDetails>(
  container: Element,
  name: Name,
  detail: EventDetails[Name],
): void {
  attempt(() => {
    container.dispatchEvent(new CustomEvent(`svc-captcha:${name}`, { bubbles: true, composed: true, detail }))
  })
}

/** Calls a function of the page, given itself or by the name of a global one. */
export function callPage(target: unknown, ...values: unknown[]): void {
  const found = typeof target === 'string' ? window[target as keyof Window] : target
  if (typeof found !== 'function') return
  try {
    found(...values)
  } catch (error) {
    // The page's own fault is the page's to see, and must not stop the component.
    window.reportError?.(error)
  }
}

/** Does without what a page has broken that every browser has. */
export function attempt(task: () => void): void {
  try {
    task()
  } catch {
    // Nobody is there who could be told: the page has done it to itself.
  }
}
