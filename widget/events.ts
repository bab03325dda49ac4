import type { EventDetails } from './types.ts'

/** Dispatches the bubbling event `svc-captcha:<name>` on the container, unless the page has broken `CustomEvent`. */
export function emit<Name extends keyof EventDetails>(
  container: Element,
  name: Name,
  detail: EventDetails[Name],
): void {
  ignoreErrors(() => {
    container.dispatchEvent(new CustomEvent(`svc-captcha:${name}`, { bubbles: true, composed: true, detail }))
  })
}

/** Calls a function of the page, given as a function or as the name of a global one. */
export function callPage(target: unknown, ...values: unknown[]): void {
  const found = typeof target === 'string' ? window[target as keyof Window] : target
  if (typeof found !== 'function') return
  try {
    found(...values)
  } catch (error) {
    // An error of the page's own code is reported to the page and does not stop the component.
    window.reportError?.(error)
  }
}

/** Runs a task whose failure means that the page has removed or replaced a standard API. */
export function ignoreErrors(task: () => void): void {
  try {
    task()
  } catch {
    // There is no way left to report it.
  }
}
